/* ana: sums and differences first; then the even results are those of the sums, the odd ones those
 * of the others. */
#include "fft.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* x is changed; result i goes to y[i * stride]. */
static void split(long n, double complex *x, double complex *y, long stride)
{
    const long half = n / 2;
    if (n == 1) {
        *y = *x;
        return;
    }
    for (long i = 0; i < half; i++) {
        const double complex rest = x[i] - x[i + half];
        x[i] += x[i + half];
        x[i + half] = rest * cexp(-2 * acos(-1) * I * (double)i / (double)n);
    }
    split(half, x, y, 2 * stride);
    split(half, x + half, y + stride, 2 * stride);
}

void fft(int k, const double *x, double *y)
{
    const size_t bytes = sizeof(double complex) << k;
    double complex *copy = malloc(bytes);
    memcpy(copy, x, bytes);
    split(1L << k, copy, (double complex *)y, 1);
    free(copy);
}
