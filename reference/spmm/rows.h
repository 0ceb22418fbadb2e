/*
 * rows.h - rows of Y = A * X with vectors over the columns of X, for the fast tiers of the host.
 *
 * Each row of Y is a sum of rows of X. It is computed in panels of eight vectors, which stay in
 * registers while the entries of the row of A pass. So Y is written once and never read. Both
 * formats use the same code: they differ only in where a row begins and ends.
 */
#ifndef SPMM_ROWS_H
#define SPMM_ROWS_H

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

/* A in CSR or ELLPACK, X and Y, as in spmm.h. */
struct spmm_product {
    int M, K;
    const int *row_start; /* NULL: ELLPACK, with `width` entries per row */
    size_t width;
    const int *col;
    const double *val;
    const double *X;
    double *Y;
    size_t entries; /* of all rows, with padding */
};

enum {
    SPMM_PANEL = 8,         /* vectors that are computed together */
    SPMM_LINE = 8,          /* doubles of a cache line */
    SPMM_STREAM = 16 << 20, /* bytes: a larger Y does not stay in a cache */
    SPMM_FAR = 64,       /* entries ahead: their rows of X are fetched to the second-level cache */
    SPMM_NEAR = 8,       /* likewise, to the first-level cache, if a row has several lines */
    SPMM_SAMPLE = 32,    /* rows, and entries of a row, that spmm_fetches looks at */
    SPMM_NEIGHBOURS = 4, /* columns to each side */
};

static inline size_t spmm_row_start(const struct spmm_product *a, int i)
{
    return a->row_start ? (size_t)a->row_start[i] : (size_t)i * a->width;
}

/* The end of the entries of row i. In ELLPACK, those of the padding are left out: columns ascend,
 * so the last entry is the first one that has the column of the padding. */
static inline size_t spmm_row_end(const struct spmm_product *a, int i)
{
    const size_t end = spmm_row_start(a, i + 1);
    if (a->row_start || a->width < 2 || a->col[end - 1] != a->col[end - 2])
        return end;
    size_t low = end - a->width, high = end - 2; /* the last entry is in [low, high] */
    while (low < high) {
        const size_t mid = low + (high - low) / 2;
        if (a->col[mid] == a->col[end - 1])
            high = mid;
        else
            low = mid + 1;
    }
    return low + 1;
}

/* Is row i like the row before it, moved by some columns? Then the processor itself sees which rows
 * of X come next. Most entries must have one nearby in the row before. */
static inline int spmm_follows(const struct spmm_product *a, int i)
{
    const size_t start = spmm_row_start(a, i), above_end = spmm_row_end(a, i - 1);
    size_t end = spmm_row_end(a, i), above = spmm_row_start(a, i - 1), count = 0;
    if (end > start + SPMM_SAMPLE)
        end = start + SPMM_SAMPLE;
    for (size_t p = start; p < end; p++) {
        while (above < above_end && a->col[above] < a->col[p] - SPMM_NEIGHBOURS)
            above++;
        count += above < above_end && a->col[above] <= a->col[p] + SPMM_NEIGHBOURS;
    }
    return 4 * count >= 3 * (end - start);
}

/* Should rows of X be fetched before they are needed? Not if one line per entry is needed and the
 * processor fetches it itself: then it costs more than it gains. So it is when most rows are like
 * the rows before them. Looks at a few, at irregular distances. */
static inline int spmm_fetches(const struct spmm_product *a)
{
    int others = 0;
    if (a->K > SPMM_LINE || a->M < 2)
        return 1;
    for (uint32_t n = 1; n <= SPMM_SAMPLE && 8 * others <= SPMM_SAMPLE; n++) {
        const uint32_t at = n * 2654435769u; /* 2^32 / golden ratio, mod 2^32 */
        others += !spmm_follows(a, 1 + (int)(((uint64_t)at * (uint64_t)(a->M - 1)) >> 32));
    }
    return 8 * others > SPMM_SAMPLE;
}

/* K = 1: there is no row of X to fill a vector. Four sums, since an addition takes four cycles. */
static inline void spmm_rows_1(const struct spmm_product *a, int from, int to)
{
    for (int i = from; i < to; i++) {
        const size_t end = spmm_row_end(a, i);
        size_t p = spmm_row_start(a, i);
        double sum[4] = {0};
        for (; p + 4 <= end; p += 4)
            for (size_t j = 0; j < 4; j++)
                sum[j] += a->val[p + j] * a->X[a->col[p + j]];
        for (; p < end; p++)
            sum[0] += a->val[p] * a->X[a->col[p]];
        a->Y[i] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    }
}

#define SPMM_LANES 4
#include "rows_vector.h"
#define SPMM_LANES 8
#include "rows_vector.h"

/* Rows from..to-1 of Y. `fetch` is what spmm_fetches says: once for the whole matrix, because it
 * takes microseconds. */
static inline void spmm_rows(const struct spmm_product *a, int fetch, int from, int to)
{
    if (a->K == 1)
        spmm_rows_1(a, from, to);
    else if (a->K > 1 && __builtin_cpu_supports("avx512f"))
        spmm_rows_8(a, fetch, from, to);
    else if (a->K > 1)
        spmm_rows_4(a, fetch, from, to);
}

#endif
