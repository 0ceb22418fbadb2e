/*
 * csr_dynamic: a thread that is done takes the next CHUNK rows. The runtime balances rows of
 * different lengths, and every chunk costs a little.
 *
 * build  gcc -std=c11 -O3 -mavx2 -mfma -fopenmp -fPIC -shared -I<abi> \
 *            -o csr_dynamic.so csr_dynamic.c
 * run    paragrade check -a testcases/spmm/spmm.yaml --tier csr-dynamic reference/spmm
 */
#include <stddef.h>

#include "spmm.h"

#ifndef CHUNK
#define CHUNK 64
#endif

void spmm_csr_f64(int M, int N, int K, int nnz, const int *row_start, const int *col,
                  const double *val, const double *X, double *Y)
{
    (void)N;
    (void)nnz;
#pragma omp parallel for schedule(dynamic, CHUNK)
    for (int i = 0; i < M; i++) {
        double *restrict y = Y + (size_t)i * (size_t)K;
        for (int j = 0; j < K; j++)
            y[j] = 0;
        for (int e = row_start[i]; e < row_start[i + 1]; e++) {
            const double *x = X + (size_t)col[e] * (size_t)K;
            for (int j = 0; j < K; j++)
                y[j] += val[e] * x[j];
        }
    }
}
