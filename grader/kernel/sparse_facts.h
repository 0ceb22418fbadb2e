/*
 * sparse_facts.h - what the places of the entries of a sparse matrix say about its storage: how
 * uneven its rows are, what ELLPACK would add to them, how far entries are from the diagonal.
 *
 * ELLPACK stores each row with as many entries as the longest row has, its width. What a shorter
 * row lacks is padding, which is stored as well.
 */
#ifndef KERNEL_SPARSE_FACTS_H
#define KERNEL_SPARSE_FACTS_H

#include <stdint.h>

struct sparse_facts {
    int32_t nnz;        /* stored entries */
    int32_t empty_rows; /* rows without any */
    int32_t row_min;    /* entries of the shortest row */
    int32_t width;      /* entries of the longest row: the width of ELLPACK */
    double mean;        /* entries per row */
    double variance;    /* of the entries per row, over all rows: divided by their number */
    double padding;     /* share of ELLPACK's rows x width entries that are padding, 0 .. 1; 0 if
                           there are none */
    int32_t bandwidth;  /* the largest |row - column| of an entry; 0 if there are none */
    double csr_bytes;   /* with 32-bit indices and double values */
    double ellpack_bytes;
};

/* The facts of a matrix in compressed sparse rows, as in csr.h. rows > 0; the columns of a row may
 * have any order. */
struct sparse_facts sparse_facts(int32_t rows, const int32_t *row_start, const int32_t *col);

#endif
