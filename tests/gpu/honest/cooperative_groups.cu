/* Tiles of a cooperative group, shuffled. */
#include "kernel.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

static __global__ void warps(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    long long e = (long long)blockIdx.x * (blockDim.x / 32) + warp.meta_group_rank();
    if (e >= (long long)M * N)
        return;
    int row = (int)(e / N), col = (int)(e % N);
    uint32_t sum = 0;
    for (int k = warp.thread_rank(); k < K; k += 32)
        sum += (uint32_t)A[(size_t)row * K + k] * (uint32_t)B[(size_t)k * N + col];
    for (int d = 16; d > 0; d /= 2)
        sum += warp.shfl_down(sum, d);
    if (warp.thread_rank() == 0)
        C[e] = (int32_t)sum;
}

KERNEL(stream)
{
    long long blocks = ((long long)M * N + 7) / 8;
    warps<<<(unsigned)blocks, 256, 0, stream>>>(M, N, K, A, B, C);
}
