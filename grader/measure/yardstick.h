/*
 * yardstick.h - the runs of the yardstick: beside units, and alone for the node's record.
 */
#ifndef MEASURE_YARDSTICK_H
#define MEASURE_YARDSTICK_H

#include "base/err.h"
#include "base/stats.h"
#include "measure/harness.h"

/* Let the yardstick compute the `reps` problems in the arena; its outputs are the right answers.
 * Then time it on the first problem alone, *seconds. 0, or -1 with *o. */
int yardstick_run(struct harness *h, unsigned reps, double *seconds, struct outcome *o);

/* Does the yardstick compute a performance case as the host does? If results are rounded, also with
 * values whose result is exact. 0, or -1. */
int yardstick_check(struct harness *h, const struct test_case *c, struct err *e);

/* The same for one new problem of a performance case, which is laid out first. */
int yardstick_alone(struct harness *h, const struct test_case *c, double *seconds,
                    struct outcome *o);

/* What the harness costs: the median time of an empty request to the yardstick, in microseconds.
 * 0 on failure. */
double yardstick_overhead_us(struct harness *h);

#endif
