/*
 * csr.h - a sparse matrix in compressed sparse rows (CSR), with double values.
 *
 * Row i has the entries row_start[i] .. row_start[i + 1] - 1. Indices count from 0. A stored entry
 * may have the value 0: it counts in nnz like any other.
 */
#ifndef KERNEL_CSR_H
#define KERNEL_CSR_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct csr {
    int32_t rows, cols, nnz;
    int32_t *row_start; /* rows + 1 */
    int32_t *col;       /* nnz; they ascend within a row, and none occurs twice there */
    double *val;        /* nnz */
};

/* Entries of a matrix in any order, each as row, column and value. */
struct csr_entry {
    int32_t row, col;
    double val;
};

/* Make a matrix of at most 2^31 - 1 entries, which lie inside it and are finite. Entries at the
 * same place are added in their order, and a sum of 0 stays an entry. 0; -1 if a sum is not finite:
 * the reason names its row and column, counted from 1, and *a is all zero. */
int csr_from_entries(struct csr *a, int32_t rows, int32_t cols, const struct csr_entry *entry,
                     size_t count, struct err *e);
/* Frees the arrays and makes *a all zero. It may be all zero already. */
void csr_free(struct csr *a);

#endif
