/* A usual mistake: elements are not put into bit-reversed order before the steps. */
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
    memcpy(y, x, (size_t)n * 2 * sizeof *y);
    for (long length = 2; length <= n; length *= 2)
        for (long start = 0; start < n; start += length)
            for (long j = 0; j < length / 2; j++)
                step(y + 2 * (start + j), y + 2 * (start + j + length / 2),
                     -2 * PI * (double)j / (double)length);
}
