/* cuda.cu - a kernel for each vertex k, a thread for each pair. Row and column k do not change in
 * step k. */
#include "paths.h"

#include <limits.h>

enum { NONE = INT_MAX / 2, THREADS = 256 };

static __global__ void begin(int n, const int32_t *length, int32_t *dist)
{
    const size_t p = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (p < (size_t)n * n)
        dist[p] = p / n == p % n ? 0 : length[p] ? length[p] : NONE;
}

static __global__ void relax(int n, int k, int32_t *dist)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    const size_t row = (size_t)blockIdx.y * n;
    if (j < n)
        dist[row + j] = min(dist[row + j], dist[row + k] + dist[(size_t)k * n + j]);
}

static __global__ void end(int n, int32_t *dist)
{
    const size_t p = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (p < (size_t)n * n && dist[p] == NONE)
        dist[p] = -1;
}

void paths_cuda(int n, const int32_t *length, int32_t *dist, cudaStream_t stream)
{
    const unsigned all = (unsigned)(((size_t)n * n + THREADS - 1) / THREADS);
    const dim3 grid((n + THREADS - 1) / THREADS, n);
    begin<<<all, THREADS, 0, stream>>>(n, length, dist);
    for (int k = 0; k < n; k++)
        relax<<<grid, THREADS, 0, stream>>>(n, k, dist);
    end<<<all, THREADS, 0, stream>>>(n, dist);
}
