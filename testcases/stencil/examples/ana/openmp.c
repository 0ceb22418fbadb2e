/* Rows are shared out; the first and last column are left out of the inner loop. */
#include "stencil5.h"

#include <stddef.h>
#include <string.h>

void stencil5_f64(int M, int N, const double *in, double *out)
{
    const size_t n = (size_t)N;
#pragma omp parallel for
    for (int i = 0; i < M; i++) {
        const double *x = in + (size_t)i * n;
        double *y = out + (size_t)i * n;
        for (size_t j = 0; j < n; j++)
            y[j] = -4 * x[j];
        if (i > 0)
            for (size_t j = 0; j < n; j++)
                y[j] += x[j - n];
        if (i + 1 < M)
            for (size_t j = 0; j < n; j++)
                y[j] += x[j + n];
        for (size_t j = 1; j < n; j++) {
            y[j] += x[j - 1];
            y[j - 1] += x[j];
        }
    }
}
