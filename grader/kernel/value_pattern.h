/* value_pattern.h - what the values of wrong elements have in common: one number, a factor, their
 * neighbours. Pure. */
#ifndef KERNEL_VALUE_PATTERN_H
#define KERNEL_VALUE_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

#include "kernel/element.h"
#include "kernel/mismatch.h"

/* A result beside the right one, and what is known of each element (pattern.h). */
struct wrong_values {
    enum element_type type; /* not a complex one */
    const void *expected, *got;
    const unsigned char *facts;
    size_t rows, cols;
    const char *row; /* what a row is: "row" or "element" */
    bool rounded;    /* the right values are; else each difference that is wrong says something */
};

/* Add the first of these to the pattern that is true of all wrong elements. For
 * integers that are off by one number, right low bits are told too. Nothing is said if some hold
 * what they held before, or are not finite. */
void value_pattern_describe(const struct wrong_values *v, struct mismatch *m);

#endif
