/* expect: wrote-out-of-bounds wrong-answer crash */
#include "kernel.h"

static __global__ void unbounded(int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    uint32_t sum = 0;
    for (int k = 0; k < K; k++)
        sum += (uint32_t)A[(size_t)row * K + k] * (uint32_t)B[(size_t)k * N + col];
    C[(size_t)row * N + col] = (int32_t)sum;
}

KERNEL(stream)
{
    dim3 block(16, 16);
    unbounded<<<grid(M, N, block), block, 0, stream>>>(N, K, A, B, C);
}
