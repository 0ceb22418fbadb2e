/*
 * run_kind.h - what a run was made for, as far as its plan tells: a sweep or a test does not take
 * the place of a graded class.
 */
#ifndef CMD_RUN_KIND_H
#define CMD_RUN_KIND_H

#include <stdbool.h>

#include "rundir/plan.h"

struct run_kind {
    enum run_purpose {
        RUN_OF_CLASS,  /* students of a roster: it has grades */
        RUN_OF_OTHERS, /* students without a roster */
        RUN_OF_REFERENCE,
        RUN_CHECK, /* a student's own */
        RUN_SWEEP,
        RUN_REHEARSAL,
    } purpose;
    char **student; /* ids */
    unsigned students;
};

/* To be freed with run_kind_free(). */
void run_kind_of(const struct plan *p, struct run_kind *out);
void run_kind_free(struct run_kind *k);

/* Is it the same purpose, and are most students of the larger one in both? */
bool run_kind_equal(const struct run_kind *a, const struct run_kind *b);

/* "57 students of a roster"; the caller frees it. */
char *run_kind_text(const struct run_kind *k);

#endif
