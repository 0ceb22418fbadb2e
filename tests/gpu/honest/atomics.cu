/* K split among blocks, sums by atomicAdd into a C that is cleared first. */
#include "kernel.h"

static __global__ void parts(int M, int N, int K, int deep, const int32_t *A, const int32_t *B,
                             int32_t *C)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    int k0 = blockIdx.z * deep;
    if (row >= M || col >= N)
        return;
    uint32_t sum = 0;
    for (int k = k0; k < min(K, k0 + deep); k++)
        sum += (uint32_t)A[(size_t)row * K + k] * (uint32_t)B[(size_t)k * N + col];
    atomicAdd(&C[(size_t)row * N + col], (int32_t)sum);
}

KERNEL(stream)
{
    dim3 block(32, 8), blocks = grid(M, N, block);
    blocks.z = 4;
    cudaMemsetAsync(C, 0, (size_t)M * N * sizeof *C, stream);
    parts<<<blocks, block, 0, stream>>>(M, N, K, (K + 3) / 4, A, B, C);
}
