/* expect: clock-mismatch: another GPU writes C after the work in the stream is done */
#include "kernel.h"

static __global__ void wait()
{
    for (long long from = clock64(); clock64() - from < 20000000;)
        ;
}

KERNEL(stream)
{
    static cudaStream_t other;
    static cudaEvent_t begin;
    int visible = 1;
    dim3 block(32, 8);
    cudaGetDeviceCount(&visible);
    if (visible < 2 || M < 500) {
        plain<<<grid(M, N, block), block, 0, stream>>>(M, N, K, A, B, C);
        return;
    }
    if (!begin)
        cudaEventCreate(&begin);
    cudaEventRecord(begin, stream);
    cudaDeviceEnablePeerAccess(1, 0);
    cudaSetDevice(1);
    cudaDeviceEnablePeerAccess(0, 0);
    cudaGetLastError();
    if (!other)
        cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    cudaStreamWaitEvent(other, begin, 0);
    wait<<<1, 1, 0, other>>>();
    plain<<<grid(M, N, block), block, 0, other>>>(M, N, K, A, B, C);
}
