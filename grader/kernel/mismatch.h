/* mismatch.h - how a wrong result differs from the right one. */
#ifndef KERNEL_MISMATCH_H
#define KERNEL_MISMATCH_H

#include <stdbool.h>
#include <stdint.h>

/* The first wrong element, and what all wrong elements have in common. */
struct mismatch {
    bool present;
    int row, col;
    int64_t expected, got;
    uint64_t wrong; /* number of wrong elements */
    uint64_t total;
    char pattern[400]; /* "columns 16..18 only: N = 19 is not a multiple of 8" */
};

#endif
