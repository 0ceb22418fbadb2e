/*
 * part.h - what each rank of MPI has of an operand that is not on rank 0 alone.
 *
 * A block is contiguous: of n rows along the first extent, rank r of p has the rows n * r / p to
 * n * (r + 1) / p - 1, which may be none.
 */
#ifndef KERNEL_PART_H
#define KERNEL_PART_H

#include "kernel/kernel.h"

struct part {
    bool here;        /* false: the rank gets NULL */
    size_t at, bytes; /* in the operand; it may have 0 bytes */
};

struct part operand_part(const struct operand *o, struct shape s, int rank, int ranks);

/* Do some operands lie elsewhere than on rank 0 alone? */
bool kernel_is_spread(const struct kernel *k);

#endif
