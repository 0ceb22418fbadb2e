/* simd.c - vectors along the rows, and three by three rows at once: block.h. */
#include "pairs.h"

#include "block.h"

void pairs(int ny, int nx, const double *data, double *result)
{
    long vectors;
    vector *rows = make_rows(ny, nx, data, &vectors);
    for (long i = 0; i < ny; i += BLOCK)
        for (long j = 0; j <= i; j += BLOCK)
            block(ny, i, j, rows, vectors, result);
    free(rows);
}
