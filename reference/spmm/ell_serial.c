/*
 * ell_serial: the definition, row by row. Every row has as many entries as the longest one; padding
 * adds zeros.
 *
 * build  gcc -std=c11 -O2 -fPIC -shared -I<abi> -o ell_serial.so ell_serial.c
 * run    paragrade check -a testcases/spmm/spmm.yaml --tier ell-serial reference/spmm
 */
#include <stddef.h>

#include "spmm.h"

void spmm_ell_f64(int M, int N, int K, int width, const int *col, const double *val,
                  const double *X, double *Y)
{
    (void)N;
    for (int i = 0; i < M; i++) {
        double *y = Y + (size_t)i * (size_t)K;
        for (int j = 0; j < K; j++)
            y[j] = 0;
        for (int e = 0; e < width; e++) {
            const size_t at = (size_t)i * (size_t)width + (size_t)e;
            const double *x = X + (size_t)col[at] * (size_t)K;
            for (int j = 0; j < K; j++)
                y[j] += val[at] * x[j];
        }
    }
}
