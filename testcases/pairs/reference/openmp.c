/* openmp.c - as simd.c; threads take rows of blocks, which become longer. */
#include "pairs.h"

#include "block.h"

void pairs(int ny, int nx, const double *data, double *result)
{
    long vectors;
    vector *rows = make_rows(ny, nx, data, &vectors);
#pragma omp parallel for schedule(dynamic)
    for (long i = 0; i < ny; i += BLOCK)
        for (long j = 0; j <= i; j += BLOCK)
            block(ny, i, j, rows, vectors, result);
    free(rows);
}
