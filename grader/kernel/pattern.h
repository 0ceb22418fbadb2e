/*
 * pattern.h - what all wrong elements of a matrix have in common, in words that help to find the
 * mistake: an edge that is not a multiple of a vector, the rows of one rank, a transposed result.
 */
#ifndef KERNEL_PATTERN_H
#define KERNEL_PATTERN_H

#include <stdbool.h>

#include "kernel/kernel.h"

/* What is known about an element. */
enum element_fact {
    ELEMENT_WRONG = 1,
    ELEMENT_UNTOUCHED = 2, /* it still holds what it held before, right or wrong */
    ELEMENT_ADDED_TO = 4,  /* it is the right value plus the poison */
    ELEMENT_INT_MIN = 8,   /* INT_MIN, which is wrong */
    ELEMENT_ZERO = 16,     /* 0, right or wrong */
    ELEMENT_ROUNDED = 32,  /* a large integer that is nearly right, and that a float can hold */
    ELEMENT_NAN = 64,      /* NaN that the kernel has made, and not what was there before */
};

/* A row-major result that has wrong elements. */
struct wrong_elements {
    const struct kernel *kernel;
    struct shape shape;
    const unsigned char *facts; /* of each element: a set of enum element_fact */
    bool transposed;            /* it is right when rows and columns are exchanged */
    struct launch launch;       /* of the kernel */
};

/* Fill in *m the place of the first wrong element in row order, how many there are, and the
 * pattern. True: it says what all elements are, also the right ones. */
bool pattern_describe(const struct wrong_elements *w, struct mismatch *m);

/* Is `got` the same as `expected`, which has more than one row and column, stored by columns? */
bool pattern_is_transposed(size_t rows, size_t cols, size_t element, const void *expected,
                           const void *got);

/* What a row of the operand is: "row"; "element" of a vector; "" where there is one value only. */
const char *pattern_row(const struct operand *out);

/* Add a cause that explains all wrong elements, in place of the words that they are scattered. */
void pattern_add_cause(struct mismatch *m, const char *cause);

#endif
