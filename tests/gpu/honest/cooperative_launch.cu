/* A cooperative launch whose whole grid meets twice. */
#include "kernel.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

static __global__ void meet(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    size_t step = (size_t)gridDim.x * blockDim.x, n = (size_t)M * N;
    for (int half = 0; half < 2; half++) {
        for (size_t e = blockIdx.x * blockDim.x + threadIdx.x; e < n; e += step) {
            uint32_t sum = half ? (uint32_t)C[e] : 0;
            for (int k = half; k < K; k += 2)
                sum += (uint32_t)A[e / N * K + k] * (uint32_t)B[(size_t)k * N + e % N];
            C[e] = (int32_t)sum;
        }
#if __CUDA_ARCH__ >= 600
        cg::this_grid().sync();
#endif
    }
}

KERNEL(stream)
{
    int blocks = 0, multiprocessors = 0;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, meet, 256, 0);
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
    void *arguments[] = {&M, &N, &K, &A, &B, &C};
    cudaLaunchCooperativeKernel((const void *)meet, dim3(blocks * multiprocessors), dim3(256),
                                arguments, 0, stream);
}
