/*
 * late_marks.h - whose lateness is doubtful: students whom the roster calls late (column late:
 * yes), as downloads of a platform do, while the times say something else; and submissions without
 * a time.
 */
#ifndef REPORT_LATE_MARKS_H
#define REPORT_LATE_MARKS_H

#include "rundir/run.h"

/* A paragraph for each kind of doubt; "" where the assignment has no deadline. The caller
 * frees it. */
char *late_marks(const struct run *r);

#endif
