/* Nothing to find: the same things, done well. */
#include "kernel.h"

static __global__ void reverse(int n, int32_t *out)
{
    __shared__ int32_t s[64];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x < n)
        out[threadIdx.x] = s[63 - threadIdx.x];
}

KERNEL(stream)
{
    dim3 block(32, 8);
    int32_t *out = NULL;
    cudaMalloc((void **)&out, 40 * sizeof *out);
    reverse<<<1, 64, 0, stream>>>(40, out);
    plain<<<grid(M, N, block), block, 0, stream>>>(M, N, K, A, B, C);
    cudaFree(out);
}
