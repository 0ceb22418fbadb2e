/* openmp.c - threads share the pairs of each pass. */
#include "fft.h"

#include <math.h>
#include <stdlib.h>

/* Pair i of a pass: elements i and i + n / 2 become neighbours that are `half` apart. */
static void one(long n, long half, long i, const double *w, const double *x, double *y)
{
    const long p = i / half, q = i % half;
    const double c = w[2 * p * half], s = w[2 * p * half + 1];
    const double *a = x + 2 * i, *b = a + n;
    double *sum = y + 2 * (2 * p * half + q), *rest = sum + 2 * half;
    const double re = a[0] - b[0], im = a[1] - b[1];
    sum[0] = a[0] + b[0];
    sum[1] = a[1] + b[1];
    rest[0] = c * re - s * im;
    rest[1] = c * im + s * re;
}

void fft(int k, const double *x, double *y)
{
    const long n = 1L << k;
    double *w = malloc((size_t)(n + 2) * sizeof *w), *other = calloc(2 * (size_t)n, sizeof *other);
    double *const first = k % 2 ? other : y, *const second = k % 2 ? y : other;
#pragma omp parallel
    {
#pragma omp for nowait
        for (long i = 0; i < n / 2; i++) {
            w[2 * i] = cos(2 * acos(-1.0) * (double)i / (double)n);
            w[2 * i + 1] = -sin(2 * acos(-1.0) * (double)i / (double)n);
        }
#pragma omp for
        for (long i = 0; i < 2 * n; i++)
            first[i] = x[i];
        for (int pass = 0; pass < k; pass++) {
#pragma omp for schedule(static)
            for (long i = 0; i < n / 2; i++)
                one(n, 1L << pass, i, w, pass % 2 ? second : first, pass % 2 ? first : second);
        }
    }
    free(other);
    free(w);
}
