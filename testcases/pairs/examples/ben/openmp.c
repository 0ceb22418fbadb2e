/* ben: all threads write the products of their pairs into one array. */
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
    const double scale = squares > 0 ? 1 / sqrt(squares) : 0;
    for (int x = 0; x < nx; x++)
        to[x] *= scale;
}

void pairs(int ny, int nx, const double *data, double *result)
{
    double *row = malloc(((size_t)ny + 1) * (size_t)nx * sizeof *row);
    double *product = row + (size_t)ny * (size_t)nx;
    for (long i = 0; i < ny; i++)
        norm(nx, data + i * nx, row + i * nx);
#pragma omp parallel for schedule(static, 1)
    for (long i = 0; i < ny; i++)
        for (long j = 0; j <= i; j++) {
            double sum = 0;
            for (long x = 0; x < nx; x++)
                product[x] = row[i * nx + x] * row[j * nx + x];
            for (long x = 0; x < nx; x++)
                sum += product[x];
            result[i * ny + j] = sum;
        }
    free(row);
}
