/*
 * short_calls.h - points for the speed of several workers in calls that are very short. Such calls
 * are timed many at a time, with all inputs in memory, so a kernel can compute several in one
 * parallel region. Nothing prevents this: who writes the assignment must know.
 */
#ifndef REPORT_SHORT_CALLS_H
#define REPORT_SHORT_CALLS_H

#include "report/score.h"

/* A paragraph for each tier and size; "" if there is none. The caller frees it. */
char *short_calls(const struct run *r, const struct scoreboard *b);
/* Where this is certain before anything is timed: a line for each tier and size. path: of the
 * assignment. */
char *short_calls_foreseen(const struct assignment *a, const char *path);

#endif
