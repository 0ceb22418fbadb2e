/*
 * blas: the product of a BLAS library (C. Lawson et al.: Basic Linear Algebra Subprograms, 1979),
 * to compare others with. OpenBLAS starts as many threads as OMP_NUM_THREADS says.
 *
 * build  gcc -std=c11 -O2 -fPIC -shared -DGEMM_F64 -I<abi> -o blas.so blas.c -lopenblas
 * run    paragrade grade -a testcases/blas/gemm-f64-blas.yaml SUBMISSION
 */
#include "element.h"
#include "gemm.h"

#include <cblas.h>

#if defined(GEMM_F64)
#define PRODUCT cblas_dgemm
#elif defined(GEMM_F32)
#define PRODUCT cblas_sgemm
#else
#error "a BLAS library has no product of integers: define GEMM_F32 or GEMM_F64"
#endif

void GEMM(int M, int N, int K, const element *A, const element *B, element *C)
{
    PRODUCT(CblasRowMajor, CblasNoTrans, CblasNoTrans, M, N, K, 1, A, K, B, N, 0, C, N);
}
