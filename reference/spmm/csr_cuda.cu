/*
 * csr_cuda: equal parts of the merge path for all blocks of threads; groups of lanes sum rows of X.
 * See cuda_spmm.cuh.
 *
 * build  nvcc -O3 -std=c++17 -arch=native --cudart=shared -Xcompiler -fPIC -shared -DPARAGRADE_CUDA
 *        -I<abi> -o csr_cuda.so csr_cuda.cu
 * run    paragrade check -a testcases/spmm/spmm.yaml --tier csr-cuda reference/spmm
 */
#include "cuda_spmm.cuh"
#include "spmm.h"

void spmm_csr_f64_cuda(int M, int, int K, int nnz, const int *row_start, const int *col,
                       const double *val, const double *X, double *Y, cudaStream_t stream)
{
    spmm(csr_rows{M, nnz, row_start}, K, col, val, X, Y, stream);
}
