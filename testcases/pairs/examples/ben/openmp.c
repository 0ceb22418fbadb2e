/* ben: threads share the columns, and all add to the same results. */
#include "pairs.h"

#include <math.h>
#include <stdlib.h>

/* far: rows with the mean 0, column by column. Returns 1 / length of each row. */
static double *columns(int ny, int nx, const double *data, double *far)
{
    double *inverse = malloc((size_t)ny * sizeof *inverse);
    for (long i = 0; i < ny; i++) {
        double mean = 0, squares = 0;
        for (long x = 0; x < nx; x++)
            mean += data[i * nx + x] / nx;
        for (long x = 0; x < nx; x++) {
            far[x * ny + i] = data[i * nx + x] - mean;
            squares += far[x * ny + i] * far[x * ny + i];
        }
        inverse[i] = squares > 0 ? 1 / sqrt(squares) : 0;
    }
    return inverse;
}

void pairs(int ny, int nx, const double *data, double *result)
{
    double *far = malloc((size_t)ny * (size_t)nx * sizeof *far);
    double *inverse = columns(ny, nx, data, far);
    for (long i = 0; i < ny; i++)
        for (long j = 0; j <= i; j++)
            result[i * ny + j] = 0;
#pragma omp parallel for schedule(static, 1)
    for (long x = 0; x < nx; x++)
        for (long i = 0; i < ny; i++)
            for (long j = 0; j <= i; j++)
                result[i * ny + j] += far[x * ny + i] * inverse[i] * far[x * ny + j] * inverse[j];
    free(inverse);
    free(far);
}
