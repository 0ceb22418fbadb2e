/* expect: wrong-answer clock-mismatch
 * The work is on a stream that does not wait for the given one, so it may read inputs that are not
 * there yet. If it does not, the result is right, since the driver waits for the whole device; but
 * the events of the given stream saw nothing of the work. */
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
