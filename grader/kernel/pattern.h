/*
 * pattern.h - what all wrong elements of a matrix have in common, in words that help to find the
 * mistake: an edge that is not a multiple of a vector, the rows of one rank, a transposed result.
 */
#ifndef KERNEL_PATTERN_H
#define KERNEL_PATTERN_H

#include <stdint.h>

#include "kernel/launch.h"
#include "kernel/mismatch.h"

/* Compare two row-major rows x cols matrices; fill *m (present, first wrong element in row order,
 * counts, pattern). `poison` is what the output held before: the 64-bit pattern repeated. */
void pattern_describe(int rows, int cols, const int32_t *expected, const int32_t *got,
                      uint64_t poison, struct launch launch, struct mismatch *m);

#endif
