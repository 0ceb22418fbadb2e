/* memcheck: blocks are whole, and the buffer has no room for the rest of the last one. */
#include "kernel.h"

static __global__ void fill(int value, int32_t *buffer)
{
    buffer[blockIdx.x * blockDim.x + threadIdx.x] = value; /* found */
}

KERNEL(stream)
{
    dim3 block(32, 8);
    int32_t *buffer = NULL;
    cudaMalloc((void **)&buffer, (size_t)(M / 64 * 64 + 1) * sizeof *buffer);
    fill<<<M / 64 + 1, 64, 0, stream>>>(K, buffer);
    plain<<<grid(M, N, block), block, 0, stream>>>(M, N, K, A, B, C);
    cudaFree(buffer);
}
