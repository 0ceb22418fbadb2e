/* expect: pass
 * The stream is ignored, as beginners do: the default stream is in order with it. */
#include "kernel.h"

KERNEL(stream)
{
    (void)stream;
    dim3 block(32, 8);
    plain<<<grid(M, N, block), block>>>(M, N, K, A, B, C);
}
