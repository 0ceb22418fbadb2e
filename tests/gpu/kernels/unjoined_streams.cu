/* expect: clock-mismatch: each call has its own stream, and none is joined into the given one */
#include "kernel.h"

KERNEL(stream)
{
    static cudaStream_t own[4];
    static unsigned next;
    dim3 block(32, 8);
    cudaStream_t &s = own[next++ % 4];
    if (!s)
        cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaStreamSynchronize(stream);
    plain<<<grid(M, N, block), block, 0, s>>>(M, N, K, A, B, C);
}
