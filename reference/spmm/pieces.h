/*
 * pieces.h - A in pieces of about the same work, which threads take one after the other.
 *
 * Equal numbers of rows would be unequal work: in a power-law graph a few rows have most of the
 * entries. A piece ends between two rows, so a row is never shared. Threads take pieces
 * dynamically: one that loses its core for a while holds up only the piece that it has.
 */
#ifndef SPMM_PIECES_H
#define SPMM_PIECES_H

#include <omp.h>

#include "rows.h"

enum { SPMM_PIECES = 16 /* per thread */, SPMM_ROW_WORK = 2 /* of a row, in entries */ };

/* The work before row i. */
static inline size_t spmm_work(const struct spmm_product *a, int i)
{
    return spmm_row_start(a, i) + (size_t)SPMM_ROW_WORK * (size_t)i;
}

/* The first row that has at least `work` before it. */
static inline int spmm_row_at(const struct spmm_product *a, size_t work)
{
    int low = 0, high = a->M;
    while (low < high) {
        const int mid = low + (high - low) / 2;
        if (spmm_work(a, mid) < work)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static inline void spmm_in_pieces(const struct spmm_product *a)
{
    const int pieces = SPMM_PIECES * omp_get_max_threads();
    const size_t all = spmm_work(a, a->M);
    const int fetch = spmm_fetches(a);
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < pieces; i++) {
        const size_t n = (size_t)i;
        spmm_rows(a, fetch, spmm_row_at(a, all * n / (size_t)pieces),
                  spmm_row_at(a, all * (n + 1) / (size_t)pieces));
    }
}

#endif
