/* synccheck: a barrier in a branch. */
#include "kernel.h"

static __device__ int32_t reversed[64]; /* else nvcc removes the branch */

static __global__ void branch(int n)
{
    __shared__ int32_t s[64];
    if (threadIdx.x < n) {
        s[threadIdx.x] = threadIdx.x;
        __syncthreads(); /* found */
        reversed[threadIdx.x] = s[n - 1 - threadIdx.x];
    }
    reversed[threadIdx.x] += 1;
}

KERNEL(stream)
{
    dim3 block(32, 8);
    branch<<<1, 64, 0, stream>>>(40);
    plain<<<grid(M, N, block), block, 0, stream>>>(M, N, K, A, B, C);
}
