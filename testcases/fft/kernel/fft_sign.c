/* A usual mistake: the other sign, which is the inverse transform without its factor. */
#include "fft.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

static void transform(long n, long stride, const double complex *x, double complex *y)
{
    const double pi = acos(-1.0);
    if (n == 1) {
        y[0] = x[0];
        return;
    }
    transform(n / 2, 2 * stride, x, y);
    transform(n / 2, 2 * stride, x + stride, y + n / 2);
    for (long i = 0; i < n / 2; i++) {
        const double angle = 2 * pi * (double)i / (double)n;
        const double complex even = y[i];
        const double complex odd = (cos(angle) + sin(angle) * I) * y[i + n / 2];
        y[i] = even + odd;
        y[i + n / 2] = even - odd;
    }
}

void fft(int k, const double *x, double *y)
{
    transform(1L << k, 1, (const double complex *)x, (double complex *)y);
}
