/* expect: launch-error
 * A block of 4096 threads never starts. */
#include "kernel.h"

KERNEL(stream)
{
    dim3 block(64, 64);
    plain<<<grid(M, N, block), block, 0, stream>>>(M, N, K, A, B, C);
}
