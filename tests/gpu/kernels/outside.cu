/* expect: wrote-out-of-bounds
 * One element before the first. */
#include "kernel.h"

static __global__ void scribble(int32_t *C)
{
    C[-1] = 7;
}

KERNEL(stream)
{
    dim3 block(32, 8);
    plain<<<grid(M, N, block), block, 0, stream>>>(M, N, K, A, B, C);
    scribble<<<1, 1, 0, stream>>>(C);
}
