/* A usual mistake: the means are not subtracted. */
#include "pairs.h"

#include <math.h>

static double product(int nx, const double *a, const double *b)
{
    double sum = 0;
    for (int x = 0; x < nx; x++)
        sum += a[x] * b[x];
    return sum;
}

void pairs(int ny, int nx, const double *data, double *result)
{
    for (long i = 0; i < ny; i++)
        for (long j = 0; j < ny; j++) {
            const double *a = data + i * nx, *b = data + j * nx;
            const double squares = product(nx, a, a) * product(nx, b, b);
            result[i * ny + j] = squares > 0 ? product(nx, a, b) / sqrt(squares) : 0;
        }
}
