/* racecheck: threads read what others write, and nothing is between. */
#include "kernel.h"

static __device__ int32_t reversed[64]; /* else nvcc removes the reads */

static __global__ void reverse(void)
{
    __shared__ int32_t s[64];
    s[threadIdx.x] = threadIdx.x; /* found */
    reversed[threadIdx.x] = s[63 - threadIdx.x];
}

KERNEL(stream)
{
    dim3 block(32, 8);
    reverse<<<1, 64, 0, stream>>>();
    plain<<<grid(M, N, block), block, 0, stream>>>(M, N, K, A, B, C);
}
