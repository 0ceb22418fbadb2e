/* verdicts: pass */
/* What the others are compared with. */
#include "kernel.h"

KERNEL(stream)
{
    dim3 block(32, 8);
    plain<<<grid(M, N, block), block, 0, stream>>>(M, N, K, A, B, C);
}
