/*
 * ell_simd: one core, vectors over the columns of X, as in csr_simd. Padding at the end of a row is
 * skipped.
 *
 * build  gcc -std=c11 -O3 -mavx2 -mfma -fPIC -shared -I<abi> -o ell_simd.so ell_simd.c
 * run    paragrade check -a testcases/spmm/spmm.yaml --tier ell-simd reference/spmm
 */
#include "rows.h"
#include "spmm.h"

void spmm_ell_f64(int M, int N, int K, int width, const int *col, const double *val,
                  const double *X, double *Y)
{
    (void)N;
    const struct spmm_product a = {.M = M,
                                   .K = K,
                                   .width = (size_t)width,
                                   .col = col,
                                   .val = val,
                                   .X = X,
                                   .Y = Y,
                                   .entries = (size_t)M * (size_t)width};
    spmm_rows(&a, spmm_fetches(&a), 0, M);
}
