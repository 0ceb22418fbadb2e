/*
 * pattern.h - what all wrong elements of a matrix have in common, in words that help to find the
 * mistake: an edge that is not a multiple of a vector, the rows of one rank, a transposed result.
 */
#ifndef KERNEL_PATTERN_H
#define KERNEL_PATTERN_H

#include <stdint.h>

#include "kernel/launch.h"
#include "kernel/mismatch.h"

/* Two row-major matrices to be compared. */
struct comparison {
    int rows, cols;
    const int32_t *expected, *got;
    uint64_t poison;      /* the 64-bit pattern that filled `got` before the kernel ran */
    struct launch launch; /* of the kernel */
};

/* Compare them, and fill *m: whether there is a wrong element, the first one in row order, how many
 * there are, and the pattern. */
void pattern_describe(const struct comparison *c, struct mismatch *m);

#endif
