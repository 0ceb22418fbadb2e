/* simd.c - between two arrays, so that the loops are vector code. */
#include "fft.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The first half of the n-th roots of 1, clockwise. */
static double *roots(long n)
{
    double *w = calloc((size_t)n + 2, sizeof *w);
    for (long i = 0; i < n / 2 || i == 0; i++) {
        w[2 * i] = cos(2 * acos(-1.0) * (double)i / (double)n);
        w[2 * i + 1] = -sin(2 * acos(-1.0) * (double)i / (double)n);
    }
    return w;
}

/* Groups p of the first and of the second half of x become neighbours in y (Stockham): nothing is
 * moved to reversed places, and the inner loop goes through memory in order. */
static void groups(long n, long half, long p, const double *restrict w, const double *restrict x,
                   double *restrict y)
{
    const double c = w[2 * p * half], s = w[2 * p * half + 1];
    const double *a = x + 2 * p * half, *b = a + n;
    double *sum = y + 4 * p * half, *rest = sum + 2 * half;
    for (long q = 0; q < 2 * half; q += 2) {
        const double re = a[q] - b[q], im = a[q + 1] - b[q + 1];
        sum[q] = a[q] + b[q];
        sum[q + 1] = a[q + 1] + b[q + 1];
        rest[q] = c * re - s * im;
        rest[q + 1] = c * im + s * re;
    }
}

void fft(int k, const double *x, double *y)
{
    const long n = 1L << k;
    const size_t bytes = 2 * (size_t)n * sizeof *y;
    double *w = roots(n), *other = calloc(2 * (size_t)n, sizeof *y), *from = k % 2 ? other : y,
           *to = k % 2 ? y : other;
    memcpy(from, x, bytes);
    for (long half = 1; half < n; half *= 2) {
        for (long p = 0; p < n / 2 / half; p++)
            groups(n, half, p, w, from, to);
        double *t = from;
        from = to;
        to = t;
    }
    free(other);
    free(w);
}
