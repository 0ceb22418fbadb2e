/* K is split among blocks. They add their sums to C by atomicAdd, in an order that changes from run
 * to run. */
#include <cuda_runtime.h>

#include "gemm.h"

#ifdef GEMM_F64
typedef double element;
#define PRODUCT gemm_f64_cuda
#else
typedef float element;
#define PRODUCT gemm_f32_cuda
#endif

enum { DEPTH = 8 };

static __global__ void parts(int M, int N, int K, const element *A, const element *B, element *C)
{
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x, first = blockIdx.z * DEPTH;
    element sum = 0;
    if (row >= M || col >= N)
        return;
    for (int k = first; k < min(K, first + DEPTH); k++)
        sum += A[(size_t)row * K + k] * B[(size_t)k * N + col];
    atomicAdd(&C[(size_t)row * N + col], sum);
}

void PRODUCT(int M, int N, int K, const element *A, const element *B, element *C,
             cudaStream_t stream)
{
    const dim3 threads(32, 8);
    const dim3 blocks((N + 31) / 32, (M + 7) / 8, (K + DEPTH - 1) / DEPTH);
    cudaMemsetAsync(C, 0, (size_t)M * N * sizeof *C, stream);
    parts<<<blocks, threads, 0, stream>>>(M, N, K, A, B, C);
}
