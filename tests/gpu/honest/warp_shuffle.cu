/* A warp per element, reduced by shuffles and votes. */
#include "kernel.h"

static __global__ void warps(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    size_t e = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) / 32;
    int lane = threadIdx.x % 32;
    if (e >= (size_t)M * N)
        return;
    uint32_t sum = 0;
    for (int k = lane; k < K; k += 32)
        sum += (uint32_t)A[e / N * K + k] * (uint32_t)B[(size_t)k * N + e % N];
    if (__any_sync(0xffffffff, sum != 0))
        for (int d = 16; d > 0; d /= 2)
            sum += __shfl_xor_sync(0xffffffff, sum, d);
    if (lane == 0)
        C[e] = (int32_t)sum;
}

KERNEL(stream)
{
    warps<<<(unsigned)(((size_t)M * N + 7) / 8), 256, 0, stream>>>(M, N, K, A, B, C);
}
