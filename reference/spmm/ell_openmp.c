/*
 * ell_openmp: all threads, which take pieces of the rows (pieces.h), with the vectors of csr_simd.
 *
 * build  gcc -std=c11 -O3 -mavx2 -mfma -fopenmp -fPIC -shared -I<abi> -o ell_openmp.so ell_openmp.c
 * run    paragrade check -a testcases/spmm/spmm.yaml --tier ell-openmp reference/spmm
 */
#include "pieces.h"
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
    spmm_in_pieces(&a);
}
