/*
 * cublas: the product of cuBLAS, to compare others with. Its default is used: f32 without TF32.
 *
 * build  nvcc -O3 -std=c++17 -arch=native --cudart=shared -Xcompiler -fPIC -shared -DPARAGRADE_CUDA
 *        -DGEMM_F64 -I<abi> -o cublas.so cublas.cu -lcublas
 * run    paragrade grade -a testcases/blas/gemm-f64-blas.yaml SUBMISSION
 */
#include <cublas_v2.h>

#include <cstdio>
#include <cstdlib>

#include "gemm.h"

#if defined(GEMM_F64)
typedef double element;
#define NAME gemm_f64_cuda
#define PRODUCT cublasDgemm
#elif defined(GEMM_F32)
typedef float element;
#define NAME gemm_f32_cuda
#define PRODUCT cublasSgemm
#else
#error "cuBLAS has no product of 32-bit integers: define GEMM_F32 or GEMM_F64"
#endif

/* It allocates memory of the device once. */
static cublasHandle_t handle()
{
    static cublasHandle_t h;
    if (!h && cublasCreate(&h) != CUBLAS_STATUS_SUCCESS) {
        fputs("cublasCreate failed\n", stderr);
        abort();
    }
    return h;
}

/* cuBLAS stores matrices by columns. There, the transposed product is the same: C^T = B^T A^T. */
void NAME(int M, int N, int K, const element *A, const element *B, element *C, cudaStream_t stream)
{
    const element one = 1, zero = 0;
    cublasSetStream(handle(), stream);
    PRODUCT(handle(), CUBLAS_OP_N, CUBLAS_OP_N, N, M, K, &one, B, N, A, K, &zero, C, N);
}
