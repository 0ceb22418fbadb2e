/* The second source: each pair by itself, with more bits. */
#include "pairs.h"

#include <math.h>

static long double mean(int nx, const double *row)
{
    long double sum = 0;
    for (int x = 0; x < nx; x++)
        sum += row[x];
    return sum / nx;
}

static long double products(int nx, const double *a, const double *b)
{
    const long double p = mean(nx, a), q = mean(nx, b);
    long double sum = 0;
    for (int x = nx - 1; x >= 0; x--)
        sum += (a[x] - p) * (b[x] - q);
    return sum;
}

void pairs(int ny, int nx, const double *data, double *result)
{
    for (long i = 0; i < ny; i++)
        for (long j = 0; j < ny; j++) {
            const double *a = data + i * nx, *b = data + j * nx;
            const long double below = sqrtl(products(nx, a, a) * products(nx, b, b));
            result[i * ny + j] = j <= i && below > 0 ? (double)(products(nx, a, b) / below) : 0;
        }
}
