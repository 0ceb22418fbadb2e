/*
 * csr_openmp: all threads, which take pieces of about equally many entries (pieces.h), with the
 * vectors of csr_simd.
 *
 * build  gcc -std=c11 -O3 -mavx2 -mfma -fopenmp -fPIC -shared -I<abi> -o csr_openmp.so csr_openmp.c
 * run    paragrade check -a testcases/spmm/spmm.yaml --tier csr-openmp reference/spmm
 */
#include "pieces.h"
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
    spmm_in_pieces(&a);
}
