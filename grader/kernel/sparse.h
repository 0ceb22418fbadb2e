/*
 * sparse.h - the places of the nonzero entries of a sparse matrix, row by row (CSR).
 *
 * In each run the rows and columns of a structure are rotated by random amounts: a kernel that
 * uses remembered places is wrong, and the numbers of entries in the rows stay the same.
 */
#ifndef KERNEL_SPARSE_H
#define KERNEL_SPARSE_H

#include <stdint.h>

#include "kernel/structure.h"

/* How far row and columns of the structure are rotated. */
struct rotation {
    int rows, cols;
};

/* For the run with this seed. */
struct rotation sparse_rotation(struct structure s, int rows, int cols, uint64_t seed);

/* A structure of a given size, not rotated. */
struct sparse {
    struct structure structure;
    int rows, cols;
    int *row_start; /* rows + 1 numbers */
    int *col;
};

/* It must not have more than 2^31 - 1 entries. It stays valid until the thread's next call; the
 * last few ones are kept, because each run needs the same. (That of a file is s.matrix.) */
const struct sparse *sparse_get(struct structure s, int rows, int cols);

/* Number of entries of row i of the rotated matrix. */
static inline int sparse_row_entries(const struct sparse *a, struct rotation r, int i)
{
    const int row = i < a->rows - r.rows ? i + r.rows : i - (a->rows - r.rows);
    return a->row_start[row + 1] - a->row_start[row];
}

/* Write the columns of row i of the rotated matrix, ascending. Returns how many there are. */
int sparse_row(const struct sparse *a, struct rotation r, int i, int *col);

#endif
