/* initcheck: a sum that does not begin at 0. */
#include "kernel.h"

static __global__ void add(int value, int32_t *sums)
{
    sums[threadIdx.x] += value; /* found */
}

KERNEL(stream)
{
    dim3 block(32, 8);
    int32_t *sums = NULL;
    cudaMalloc((void **)&sums, 64 * sizeof *sums);
    add<<<1, 64, 0, stream>>>(K, sums);
    plain<<<grid(M, N, block), block, 0, stream>>>(M, N, K, A, B, C);
    cudaFree(sums);
}
