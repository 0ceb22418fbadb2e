/* expect: wrong-answer */
#include "kernel.h"

static __global__ void adding(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || col >= N)
        return;
    for (int k = 0; k < K; k++)
        C[(size_t)row * N + col] +=
            (int32_t)((uint32_t)A[(size_t)row * K + k] * (uint32_t)B[(size_t)k * N + col]);
}

KERNEL(stream)
{
    dim3 block(32, 8);
    adding<<<grid(M, N, block), block, 0, stream>>>(M, N, K, A, B, C);
}
