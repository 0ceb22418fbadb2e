/*
 * ell_cuda: the product of csr_cuda. Since all rows have the same number of entries, a block
 * computes where its part begins; it does not search. See cuda_spmm.cuh.
 *
 * build  nvcc -O3 -std=c++17 -arch=native --cudart=shared -Xcompiler -fPIC -shared -DPARAGRADE_CUDA
 *        -I<abi> -o ell_cuda.so ell_cuda.cu
 * run    paragrade check -a testcases/spmm/spmm.yaml --tier ell-cuda reference/spmm
 */
#include "cuda_spmm.cuh"
#include "spmm.h"

void spmm_ell_f64_cuda(int M, int, int K, int width, const int *col, const double *val,
                       const double *X, double *Y, cudaStream_t stream)
{
    spmm(ell_rows{M, (long long)M * width, width}, K, col, val, X, Y, stream);
}
