/* The second source: the sums as they are written, in long double. Large transforms are halved
 * until the sums are short enough. */
#include "fft.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

enum { SUMS_MOST = 512 };

/* root[i] = exp(-2 pi sqrt(-1) i / n). Shorter transforms use every stride-th one. */
static void sums(long n, long stride, const double complex *x, const long double complex *root,
                 long step, long double complex *y)
{
    for (long i = 0; i < n; i++) {
        y[i] = 0;
        for (long j = 0; j < n; j++)
            y[i] += x[j * stride] * root[i * j % n * step];
    }
}

static void transform(long n, long stride, const double complex *x, const long double complex *root,
                      long step, long double complex *y)
{
    if (n <= SUMS_MOST) {
        sums(n, stride, x, root, step, y);
        return;
    }
    long double complex *half = malloc((size_t)n * sizeof *half);
    if (!half)
        abort();
    transform(n / 2, 2 * stride, x, root, 2 * step, half);
    transform(n / 2, 2 * stride, x + stride, root, 2 * step, half + n / 2);
    for (long i = 0; i < n; i++)
        y[i] = half[i % (n / 2)] + root[i * step] * half[n / 2 + i % (n / 2)];
    free(half);
}

void fft(int k, const double *x, double *y)
{
    const long n = 1L << k;
    const long double pi = acosl(-1.0L);
    long double complex *root = malloc(2 * (size_t)n * sizeof *root);
    if (!root)
        abort();
    long double complex *result = root + n;
    for (long i = 0; i < n; i++)
        root[i] = cosl(-2 * pi * i / n) + sinl(-2 * pi * i / n) * I;
    transform(n, 1, (const double complex *)x, root, 1, result);
    for (long i = 0; i < n; i++)
        ((double complex *)y)[i] = (double complex)result[i];
    free(root);
}
