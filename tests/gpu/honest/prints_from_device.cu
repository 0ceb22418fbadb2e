/* printf and assert in a kernel. */
#include "kernel.h"
#include <cassert>
#include <cstdio>

static __global__ void talks(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || col >= N)
        return;
    assert(K > 0);
    uint32_t sum = 0;
    for (int k = 0; k < K; k++)
        sum += (uint32_t)A[(size_t)row * K + k] * (uint32_t)B[(size_t)k * N + col];
    C[(size_t)row * N + col] = (int32_t)sum;
    if (row == 0 && col == 0)
        printf("%d x %d x %d\n", M, N, K);
}

KERNEL(stream)
{
    dim3 block(32, 8);
    talks<<<grid(M, N, block), block, 0, stream>>>(M, N, K, A, B, C);
}
