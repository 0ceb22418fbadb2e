/* The trusted source: rows are made to have the mean 0 and the sum of squares 1 first. */
#include "pairs.h"

#include <math.h>
#include <stdlib.h>

static void norm(int nx, const double *from, double *to)
{
    double sum = 0, squares = 0;
    for (int x = 0; x < nx; x++)
        sum += from[x];
    for (int x = 0; x < nx; x++) {
        to[x] = from[x] - sum / nx;
        squares += to[x] * to[x];
    }
    for (int x = 0; x < nx; x++)
        to[x] = squares > 0 ? to[x] / sqrt(squares) : 0;
}

void pairs(int ny, int nx, const double *data, double *result)
{
    double *row = malloc((size_t)ny * (size_t)nx * sizeof *row);
    if (!row)
        abort();
    for (long i = 0; i < ny; i++)
        norm(nx, data + i * nx, row + i * nx);
    for (long i = 0; i < ny; i++)
        for (long j = 0; j < ny; j++) {
            double sum = 0;
            for (long x = 0; x < nx; x++)
                sum += row[i * nx + x] * row[j * nx + x];
            result[i * ny + j] = sum;
        }
    free(row);
}
