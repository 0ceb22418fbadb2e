/* ben: tasks transform the halves, and nobody waits for them. */
#include "fft.h"

#include <complex.h>
#include <math.h>

static void halves(long n, const double complex *x, long stride, double complex *y)
{
    if (n == 1) {
        *y = *x;
        return;
    }
#pragma omp task
    halves(n / 2, x, 2 * stride, y);
#pragma omp task
    halves(n / 2, x + stride, 2 * stride, y + n / 2);
    for (long i = 0; i < n / 2; i++) {
        const double complex odd = y[i + n / 2] * cexp(-2 * acos(-1) * I * (double)i / (double)n);
        y[i + n / 2] = y[i] - odd;
        y[i] += odd;
    }
}

void fft(int k, const double *x, double *y)
{
#pragma omp parallel
#pragma omp single
    halves(1L << k, (const double complex *)x, 1, (double complex *)y);
}
