/* ana: even and odd elements, by recursion. */
#include "fft.h"

#include <math.h>
#include <stdlib.h>

/* The first half of the n-th roots of 1, clockwise. */
static double *roots(long n)
{
    double *w = malloc((size_t)(n + 2) * sizeof *w);
    for (long i = 0; i < n / 2 || i == 0; i++) {
        w[2 * i] = cos(2 * acos(-1.0) * (double)i / (double)n);
        w[2 * i + 1] = -sin(2 * acos(-1.0) * (double)i / (double)n);
    }
    return w;
}

/* Elements a and b become a + w b and a - w b. */
static void combine(double *a, double *b, const double *w)
{
    const double re = w[0] * b[0] - w[1] * b[1], im = w[0] * b[1] + w[1] * b[0];
    b[0] = a[0] - re;
    b[1] = a[1] - im;
    a[0] += re;
    a[1] += im;
}

static void transform(long n, long stride, const double *x, const double *w, long step, double *y)
{
    if (n == 1) {
        y[0] = x[0];
        y[1] = x[1];
        return;
    }
    transform(n / 2, 2 * stride, x, w, 2 * step, y);
    transform(n / 2, 2 * stride, x + 2 * stride, w, 2 * step, y + n);
    for (long i = 0; i < n / 2; i++)
        combine(y + 2 * i, y + n + 2 * i, w + 2 * i * step);
}

void fft(int k, const double *x, double *y)
{
    double *w = roots(1L << k);
    transform(1L << k, 1, x, w, 1, y);
    free(w);
}
