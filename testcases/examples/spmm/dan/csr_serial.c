/* Right in CSR: the mistake is in ell_serial.c. */
#include <stddef.h>

#include "spmm.h"

void spmm_csr_f64(int M, int N, int K, int nnz, const int *row_start, const int *col,
                  const double *val, const double *X, double *Y)
{
    (void)N;
    (void)nnz;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < K; j++) {
            double sum = 0;
            for (int e = row_start[i]; e < row_start[i + 1]; e++)
                sum += val[e] * X[(size_t)col[e] * K + j];
            Y[(size_t)i * K + j] = sum;
        }
}
