/* CUB: a block reduces one element. */
#include "kernel.h"
#include <cub/block/block_reduce.cuh>

static __global__ void reduced(int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    using reduce = cub::BlockReduce<uint32_t, 64>;
    __shared__ typename reduce::TempStorage space;
    size_t e = blockIdx.x;
    uint32_t sum = 0;
    for (int k = threadIdx.x; k < K; k += 64)
        sum += (uint32_t)A[e / N * K + k] * (uint32_t)B[(size_t)k * N + e % N];
    sum = reduce(space).Sum(sum);
    if (threadIdx.x == 0)
        C[e] = (int32_t)sum;
}

KERNEL(stream)
{
    reduced<<<(unsigned)((size_t)M * N), 64, 0, stream>>>(N, K, A, B, C);
}
