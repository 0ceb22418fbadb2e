/* Right: stops at the padding, whose values are 0. */
#include <stddef.h>

#include "spmm.h"

void spmm_ell_f64(int M, int N, int K, int width, const int *col, const double *val,
                  const double *X, double *Y)
{
    (void)N;
    for (int i = 0; i < M; i++) {
        const size_t row = (size_t)i * width;
        for (int j = 0; j < K; j++) {
            double sum = 0;
            for (int e = 0; e < width && val[row + e] != 0; e++)
                sum += val[row + e] * X[(size_t)col[row + e] * K + j];
            Y[(size_t)i * K + j] = sum;
        }
    }
}
