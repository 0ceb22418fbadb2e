/* expect: clock-mismatch
 * The work is left running on a stream of its own. The result is right, since the whole device is
 * waited for; the events of the given stream saw nothing of it. */
#include "kernel.h"

KERNEL(stream)
{
    static cudaStream_t own;
    (void)stream;
    if (!own)
        cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
    dim3 block(32, 8);
    plain<<<grid(M, N, block), block, 0, own>>>(M, N, K, A, B, C);
}
