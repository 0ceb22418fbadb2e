/* naive.c - rows of mean 0 and length 1, then the product of each pair. */
#include "pairs.h"

#include <stdlib.h>

#include "norm.h"

void pairs(int ny, int nx, const double *data, double *result)
{
    double *row = malloc((size_t)ny * (size_t)nx * sizeof *row);
    for (long i = 0; i < ny; i++)
        norm(nx, data + i * nx, row + i * nx);
    for (long i = 0; i < ny; i++)
        for (long j = 0; j <= i; j++) {
            double sum = 0;
            for (long x = 0; x < nx; x++)
                sum += row[i * nx + x] * row[j * nx + x];
            result[i * ny + j] = sum;
        }
    free(row);
}
