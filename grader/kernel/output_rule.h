/*
 * output_rule.h - how an output of a kernel file is compared with the right answer: which elements
 * count, in which order, and how far they may be off.
 */
#ifndef KERNEL_OUTPUT_RULE_H
#define KERNEL_OUTPUT_RULE_H

#include <stdbool.h>

#include "base/err.h"
#include "kernel/expression.h"
#include "kernel/kernel.h"

struct output_rule {
    enum {
        RULE_AUTO,   /* exact, or where values are rounded, within what rounding makes */
        RULE_EXACT,  /* whatever the values */
        RULE_WITHIN, /* of `absolute`, or `relative` times the right value */
        RULE_CHECK,  /* the check of the exercise says it: there are many right ones */
    } how;
    double absolute, relative;
    enum {
        ORDER_FIXED,
        ORDER_SET,    /* rows in any order */
        ORDER_GROUPS, /* rows in any order where the elements of output `key` are equal */
        ORDER_LABELS, /* any names of the same sets: equal where the right elements are equal */
    } order;
    int key;
    struct expression where; /* of dimensions, then indices: which count; without steps: all */
    int mask;                /* output whose right elements say which count, from 1; 0: none */
    int length;              /* output that says how many rows count, from 1; 0: all do */
};

/* Does an element count that is not exactly right? Or are some left out? */
bool output_rule_is_plain(const struct output_rule *r);

/* Make a result that the rule accepts equal to the right one: elements that do not count, or are
 * near enough, become the right ones, what may be in any order is sorted, and a label becomes the
 * place of the first element that has it. expected, got: output
 * `output`, to be changed; answers: the block of right answers. */
void output_rule_apply(const struct output_rule *r, const struct kernel *k, int output,
                       struct shape s, const void *answers, void *expected, void *got);

/* How far each element of output `output` may be from the right one. spread: of rounded results
 * (struct comparison), NULL if they are exact. The order of elements is not looked at. */
void output_rule_allow(const struct output_rule *r, const struct kernel *k, int output,
                       struct shape s, const void *answers, const double *spread, double *allowed);

#endif
