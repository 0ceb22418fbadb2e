/* A usual mistake: each step takes its angles as if it were the last one. */
#include "fft.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

static void step(double *u, double *v, double angle)
{
    const double c = cos(angle), s = sin(angle);
    const double re = v[0] * c - v[1] * s, im = v[0] * s + v[1] * c;
    v[0] = u[0] - re;
    v[1] = u[1] - im;
    u[0] += re;
    u[1] += im;
}

void fft(int k, const double *x, double *y)
{
    const long n = 1L << k;
    for (long i = 0; i < n; i++) {
        long reversed = 0;
        for (int bit = 0; bit < k; bit++)
            reversed |= (i >> bit & 1) << (k - 1 - bit);
        memcpy(y + 2 * reversed, x + 2 * i, 2 * sizeof *y);
    }
    for (long length = 2; length <= n; length *= 2)
        for (long start = 0; start < n; start += length)
            for (long j = 0; j < length / 2; j++)
                step(y + 2 * (start + j), y + 2 * (start + j + length / 2),
                     -2 * PI * (double)j / (double)n);
}
