/* block.h - vectors along the rows, and three by three rows at once. */
#ifndef BLOCK_H
#define BLOCK_H

#include <stdlib.h>
#include <string.h>

#include "norm.h"

/* Rows are padded to a multiple of LANES elements, and there are BLOCK rows more, of zeros. */
enum { LANES = 8, BLOCK = 3 };
typedef double vector __attribute__((vector_size(LANES * sizeof(double))));

static vector *make_rows(int ny, int nx, const double *data, long *vectors)
{
    *vectors = (nx + LANES - 1) / LANES;
    const size_t bytes = (size_t)(ny + BLOCK) * (size_t)*vectors * sizeof(vector);
    vector *rows = aligned_alloc(sizeof(vector), bytes);
    memset(rows, 0, bytes);
    for (long i = 0; i < ny; i++)
        norm(nx, data + i * nx, (double *)(rows + i * *vectors));
    return rows;
}

static double sum_of(vector v)
{
    double sum = 0;
    for (int k = 0; k < LANES; k++)
        sum += v[k];
    return sum;
}

/* Rows i .. i + BLOCK - 1 with rows j .. j + BLOCK - 1: what is loaded is used BLOCK times. */
static void block(int ny, long i, long j, const vector *rows, long vectors, double *result)
{
    vector sum[BLOCK][BLOCK] = {{{0}}};
    for (long x = 0; x < vectors; x++)
        for (int p = 0; p < BLOCK; p++)
            for (int q = 0; q < BLOCK; q++)
                sum[p][q] += rows[(i + p) * vectors + x] * rows[(j + q) * vectors + x];
    for (int p = 0; p < BLOCK; p++)
        for (int q = 0; q < BLOCK; q++)
            if (i + p < ny && j + q <= i + p)
                result[(i + p) * ny + j + q] = sum_of(sum[p][q]);
}

#endif
