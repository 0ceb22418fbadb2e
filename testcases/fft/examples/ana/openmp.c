/* ana: the elements as a matrix: threads transform its columns, then its rows. */
#include "fft.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

/* n elements that are `stride` apart: sums of all, with the powers of one root. For short ones it
 * is fast enough. */
static void transform(long n, const double complex *x, long stride, const double complex *root,
                      long step, double complex *y)
{
    for (long i = 0; i < n; i++) {
        y[i] = 0;
        for (long j = 0; j < n; j++)
            y[i] += x[j * stride] * root[i * j % n * step];
    }
}

void fft(int k, const double *x, double *y)
{
    const long n = 1L << k, rows = 1L << k / 2, cols = n / rows;
    const double complex *from = (const double complex *)x;
    double complex *to = (double complex *)y, *root = malloc((size_t)n * sizeof *root);
    double complex *middle = malloc((size_t)n * sizeof *middle);
#pragma omp parallel
    {
        double complex *own = malloc((size_t)cols * sizeof *own);
#pragma omp for
        for (long i = 0; i < n; i++)
            root[i] = cexp(-2 * acos(-1) * I * (double)i / (double)n);
#pragma omp for
        for (long c = 0; c < cols; c++) {
            transform(rows, from + c, cols, root, cols, own);
            for (long r = 0; r < rows; r++)
                middle[r * cols + c] = own[r] * root[r * c];
        }
#pragma omp for
        for (long r = 0; r < rows; r++) {
            transform(cols, middle + r * cols, 1, root, rows, own);
            for (long c = 0; c < cols; c++)
                to[c * rows + r] = own[c];
        }
        free(own);
    }
    free(middle);
    free(root);
}
