/* cuda.cu - each block counts in shared memory, then adds its bins to those of all. */
#include "histogram.h"

enum { THREADS = 256, BINS = 256, BLOCKS_MOST = 1024 };

static __global__ void count(int n, const uint8_t *x, unsigned long long *bins)
{
    __shared__ unsigned own[BINS];
    own[threadIdx.x] = 0;
    __syncthreads();
    for (size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS)
        atomicAdd(&own[x[i]], 1u);
    __syncthreads();
    if (own[threadIdx.x])
        atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

void histogram_cuda(int n, const uint8_t *x, int64_t *bins, cudaStream_t stream)
{
    const int all = (n - 1) / THREADS + 1, blocks = all < BLOCKS_MOST ? all : BLOCKS_MOST;
    cudaMemsetAsync(bins, 0, BINS * sizeof *bins, stream);
    count<<<blocks, THREADS, 0, stream>>>(n, x, (unsigned long long *)bins);
}
