/* Times itself with events and prints milliseconds. */
#include "kernel.h"
#include <cstdio>

KERNEL(stream)
{
    cudaEvent_t from, to;
    float ms = 0;
    dim3 block(32, 8);
    cudaEventCreate(&from);
    cudaEventCreate(&to);
    cudaEventRecord(from, stream);
    plain<<<grid(M, N, block), block, 0, stream>>>(M, N, K, A, B, C);
    cudaEventRecord(to, stream);
    cudaEventSynchronize(to);
    cudaEventElapsedTime(&ms, from, to);
    std::printf("%d x %d x %d: %g ms\n", M, N, K, ms);
    cudaEventDestroy(from);
    cudaEventDestroy(to);
}
