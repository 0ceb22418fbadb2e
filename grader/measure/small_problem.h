/* small_problem.h - all numbers of a problem that is small enough to be followed by hand. */
#ifndef MEASURE_SMALL_PROBLEM_H
#define MEASURE_SMALL_PROBLEM_H

#include "kernel/kernel.h"

/* One operand after the other, one row a line:
 *
 *     length = [[0, 2],
 *               [5, 0]]
 *     expected dist = ...
 *     got dist = ...
 *
 * NULL: there are too many. `in` holds the values before the call, `expected` and `got` are blocks
 * of outputs. The caller frees the text. */
char *small_problem_text(const struct kernel *k, struct shape s, const void *const in[],
                         const void *expected, const void *got);

#endif
