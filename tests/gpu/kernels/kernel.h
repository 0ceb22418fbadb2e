/* The plain right kernel that the wrong ones differ from in one thing. */
#include <cuda_runtime.h>

#include "gemm.h"

static __global__ void plain(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || col >= N)
        return;
    uint32_t sum = 0;
    for (int k = 0; k < K; k++)
        sum += (uint32_t)A[(size_t)row * K + k] * (uint32_t)B[(size_t)k * N + col];
    C[(size_t)row * N + col] = (int32_t)sum;
}

static inline dim3 grid(int M, int N, dim3 block)
{
    return dim3((N + block.x - 1) / block.x, (M + block.y - 1) / block.y);
}

#define KERNEL(stream)                                                                             \
    extern "C" void gemm_i32_cuda(int M, int N, int K, const int32_t *A, const int32_t *B,         \
                                  int32_t *C, cudaStream_t stream)
