/* naive.c - elements in the order of reversed bits, then pairs, fours, eights, ... */
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

static long reversed(long i, int bits)
{
    long r = 0;
    for (int b = 0; b < bits; b++, i /= 2)
        r = 2 * r + i % 2;
    return r;
}

void fft(int k, const double *x, double *y)
{
    const long n = 1L << k;
    double *w = roots(n);
    for (long i = 0; i < n; i++) {
        y[2 * reversed(i, k)] = x[2 * i];
        y[2 * reversed(i, k) + 1] = x[2 * i + 1];
    }
    for (long half = 1; half < n; half *= 2)
        for (long at = 0; at < n; at += 2 * half)
            for (long i = 0; i < half; i++)
                combine(y + 2 * (at + i), y + 2 * (at + i + half), w + 2 * (i * (n / 2 / half)));
    free(w);
}
