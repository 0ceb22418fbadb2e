/* B by way of pinned host memory and back, in stream order, and a host function in between. */
#include "kernel.h"

static int seen;

static void CUDART_CB count(void *p)
{
    ++*static_cast<int *>(p);
}

KERNEL(stream)
{
    static int32_t *host, *device;
    static size_t have;
    size_t n = (size_t)K * N;
    if (n > have) {
        cudaFreeHost(host);
        cudaFree(device);
        cudaMallocHost(&host, n * sizeof *host);
        cudaMalloc(&device, n * sizeof *device);
        have = n;
    }
    dim3 block(32, 8);
    cudaMemcpyAsync(host, B, n * sizeof *host, cudaMemcpyDeviceToHost, stream);
    cudaLaunchHostFunc(stream, count, &seen);
    cudaMemcpyAsync(device, host, n * sizeof *device, cudaMemcpyHostToDevice, stream);
    plain<<<grid(M, N, block), block, 0, stream>>>(M, N, K, A, device, C);
}
