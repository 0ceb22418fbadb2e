/*
 * csr_simd: one core, vectors over the columns of X (AVX2 or AVX-512, chosen at run time). Rows of
 * Y are summed in registers, and rows of X are fetched before they are needed: see rows.h.
 *
 * build  gcc -std=c11 -O3 -mavx2 -mfma -fPIC -shared -I<abi> -o csr_simd.so csr_simd.c
 * run    paragrade check -a testcases/spmm/spmm.yaml --tier csr-simd reference/spmm
 */
#include "rows.h"
#include "spmm.h"

void spmm_csr_f64(int M, int N, int K, int nnz, const int *row_start, const int *col,
                  const double *val, const double *X, double *Y)
{
    (void)N;
    const struct spmm_product a = {.M = M,
                                   .K = K,
                                   .row_start = row_start,
                                   .col = col,
                                   .val = val,
                                   .X = X,
                                   .Y = Y,
                                   .entries = (size_t)nnz};
    spmm_rows(&a, spmm_fetches(&a), 0, M);
}
