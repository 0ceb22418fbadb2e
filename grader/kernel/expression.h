/*
 * expression.h - a number that follows from dimensions: "n + 1", "M * K / 10", "n * log2(n)"; or a
 * condition, which is 1 or 0: "x > 0 and y < h - 1".
 *
 *   either  = both { or both }                  both = relation { and relation }
 *   relation = sum [ (< | <= | > | >= | == | !=) sum ]
 *   sum     = product { (+ | -) product }       factor = number | name | ( either ) | - factor
 *   product = factor { (* | / | %) factor }              | min(sum, sum) | max(...) | log2(sum)
 *                                                        | exp2(sum)
 *
 * Expressions come from files of instructors: length and depth are bounded, and there are no loops.
 */
#ifndef KERNEL_EXPRESSION_H
#define KERNEL_EXPRESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

enum { EXPRESSION_STEPS = 64, EXPRESSION_DEPTH = 20, EXPRESSION_NAMES = 8 };

/* In reverse Polish notation: operands come before what is done with them. Plain data. */
struct expression {
    struct {
        /* 'n' a number, 'd' a dimension, '+' ..., 'm' min, 'M' max, 'l' log2, 'e' exp2, '~' minus,
         * '[' <=,
         * ']' >=, '!' != */
        char what;
        double number;
        int dimension;
    } step[EXPRESSION_STEPS];
    int steps; /* 0: there is no expression */
};

/* Read a text. Names are those of dimensions, in their order. whole: it must give an integer, so
 * that fractions and log2 are refused. 0, or -1 with a reason that says what there is instead. */
int expression_read(const char *text, const char *const *names, int count, bool whole,
                    struct expression *x, struct err *e);

/* The value, where a division truncates. False: it is no 64-bit number (a division by 0, an
 * overflow). */
bool expression_integer(const struct expression *x, const int *dim, int64_t *value);
/* The value as a real number; it may be NAN or infinite. */
double expression_number(const struct expression *x, const int *dim);

#endif
