/* cuda.cu - each thread adds every threads-th product, each block its threads, and all blocks add
 * to the result. */
#include "dot.h"

enum { THREADS = 256, BLOCKS_MOST = 1024 };

static __global__ void add(int n, const double *x, const double *y, double *result)
{
    __shared__ double part[THREADS];
    double sum = 0;
    for (size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS)
        sum += x[i] * y[i];
    part[threadIdx.x] = sum;
    for (int half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            part[threadIdx.x] += part[threadIdx.x + half];
    }
    if (threadIdx.x == 0)
        atomicAdd(result, part[0]);
}

void dot_f64_cuda(int n, const double *x, const double *y, double *result, cudaStream_t stream)
{
    const int all = (n - 1) / THREADS + 1, blocks = all < BLOCKS_MOST ? all : BLOCKS_MOST;
    cudaMemsetAsync(result, 0, sizeof *result, stream);
    add<<<blocks, THREADS, 0, stream>>>(n, x, y, result);
}
