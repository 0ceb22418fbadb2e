/* expect: crash */
#include "kernel.h"

static __global__ void wild(int32_t *p)
{
    p[threadIdx.x] = 1;
}

KERNEL(stream)
{
    (void)M, (void)N, (void)K, (void)A, (void)B, (void)C;
    wild<<<1, 32, 0, stream>>>((int32_t *)0x10);
}
