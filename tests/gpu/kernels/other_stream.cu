/* expect: wrong-answer clock-mismatch
 * The work is on a stream that does not wait for the given one, so it reads inputs that are still
 * masked. */
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
