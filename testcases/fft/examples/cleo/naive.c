/* cleo: the factors are made by multiplying one by the next, with single precision. */
#include "fft.h"

#include <math.h>
#include <stdlib.h>

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
    for (long i = 0; i < n; i++) {
        y[2 * reversed(i, k)] = x[2 * i];
        y[2 * reversed(i, k) + 1] = x[2 * i + 1];
    }
    for (long half = 1; half < n; half *= 2)
        for (long at = 0; at < n; at += 2 * half)
            for (long i = 0; i < half; i++) {
                const float angle = -3.14159265f * (float)i / (float)half;
                const double c = cosf(angle), s = sinf(angle);
                double *a = y + 2 * (at + i), *b = a + 2 * half;
                const double re = c * b[0] - s * b[1], im = c * b[1] + s * b[0];
                b[0] = a[0] - re;
                b[1] = a[1] - im;
                a[0] += re;
                a[1] += im;
            }
}
