/* sweep.h - which point of a sweep is best, and the table on the terminal. */
#ifndef REPORT_SWEEP_H
#define REPORT_SWEEP_H

#include <stdbool.h>
#include <stdio.h>

#include "model/sweep.h"
#include "rundir/results.h"

/* Is this a timed case of a sweep, not a correctness case? */
bool sweep_case(const struct run *r, const struct case_result *c);
/* The fastest point at a size; NULL when none was timed. */
const struct case_result *sweep_best(const struct run *r, const struct unit_result *u,
                                     struct shape size);

/* One table per unit, with a row per point and a column per size. The best point of each column is
 * marked and named. */
void report_print_sweeps(const struct run *r, const struct results *res, FILE *f);

#endif
