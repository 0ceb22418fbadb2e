/* exercise_check.h - is an exercise right whose kernel is in a file? docs/kernels.md names the
 * checks. */
#ifndef MEASURE_EXERCISE_CHECK_H
#define MEASURE_EXERCISE_CHECK_H

#include "measure/exercise.h"

/* Run all checks. The findings are in x->report, in order. -1 when the machine fails. */
int exercise_check(struct exercise *x, struct err *e);

#endif
