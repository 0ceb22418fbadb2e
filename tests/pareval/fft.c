/* fft.c - trusted sources of 05 to 09. Pairs of numbers are complex ones. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>

/* y: the transform of n = 2^k numbers, each `step` after the one before. sign: of the angles. */
static void transform(int n, int step, int sign, const double complex *x, double complex *y)
{
    y[0] = x[0];
    if (n == 1)
        return;
    double complex *odd = y + n / 2;
    transform(n / 2, 2 * step, sign, x, y);
    transform(n / 2, 2 * step, sign, x + step, odd);
    for (int i = 0; i < n / 2; i++) {
        const double angle = sign * 2 * M_PI * i / n;
        const double complex turned = (cos(angle) + I * sin(angle)) * odd[i];
        odd[i] = y[i] - turned;
        y[i] += turned;
    }
}

static double complex *transformed(int k, int sign, const double complex *x)
{
    double complex *y = malloc(sizeof *y << k);
    transform(1 << k, 1, sign, x, y);
    return y;
}

void ifft(int k, double complex *x)
{
    double complex *y = transformed(k, 1, x);
    for (int i = 0; i < 1 << k; i++)
        x[i] = y[i] / (1 << k);
    free(y);
}

void dft(int n, const double *x, double complex *y)
{
    for (int i = 0; i < n; i++) {
        y[i] = 0;
        for (int j = 0; j < n; j++) {
            const double angle = 2 * M_PI * (double)((long)i * j % n) / n;
            y[i] += x[j] * (cos(angle) - I * sin(angle));
        }
    }
}

void fft_conjugate(int k, double complex *x)
{
    double complex *y = transformed(k, -1, x);
    for (int i = 0; i < 1 << k; i++)
        x[i] = conj(y[i]);
    free(y);
}

void fft_split(int k, const double complex *x, double *re, double *im)
{
    double complex *y = transformed(k, -1, x);
    for (int i = 0; i < 1 << k; i++) {
        re[i] = creal(y[i]);
        im[i] = cimag(y[i]);
    }
    free(y);
}

void fft(int k, const double complex *x, double complex *y)
{
    transform(1 << k, 1, -1, x, y);
}
