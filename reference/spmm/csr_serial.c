/*
 * csr_serial: the definition, row by row. The row of Y is the sum of as many rows of X as the row
 * of A has entries.
 *
 * build  gcc -std=c11 -O2 -fPIC -shared -I<abi> -o csr_serial.so csr_serial.c
 * run    paragrade check -a testcases/spmm/spmm.yaml --tier csr-serial reference/spmm
 */
#include <stddef.h>

#include "spmm.h"

void spmm_csr_f64(int M, int N, int K, int nnz, const int *row_start, const int *col,
                  const double *val, const double *X, double *Y)
{
    (void)N;
    (void)nnz;
    for (int i = 0; i < M; i++) {
        double *y = Y + (size_t)i * (size_t)K;
        for (int j = 0; j < K; j++)
            y[j] = 0;
        for (int e = row_start[i]; e < row_start[i + 1]; e++) {
            const double *x = X + (size_t)col[e] * (size_t)K;
            for (int j = 0; j < K; j++)
                y[j] += val[e] * x[j];
        }
    }
}
