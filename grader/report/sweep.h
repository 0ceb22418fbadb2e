/* sweep.h - which point of a sweep is best, and the table on the terminal. */
#ifndef REPORT_SWEEP_H
#define REPORT_SWEEP_H

#include <stdbool.h>
#include <stdio.h>

#include "model/sweep.h"
#include "rundir/results.h"

/* Is this a point of the sweep at a size (and not a correctness case)? */
bool sweep_case(const struct run *r, const struct case_result *c);
/* The fastest timed point at a size; NULL: nothing was timed. */
const struct case_result *sweep_best(const struct run *r, const struct unit_result *u,
                                     struct shape size);

/* Per unit: one row per point, one column per size, the best of each column marked and named. */
void report_print_sweeps(const struct run *r, const struct results *res, FILE *f);

#endif
