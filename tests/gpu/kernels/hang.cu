/* expect: timeout */
#include "kernel.h"

static __global__ void forever(volatile int32_t *C)
{
    while (C[0] != 1 || C[0] != 2)
        ;
}

KERNEL(stream)
{
    (void)M, (void)N, (void)K, (void)A, (void)B;
    forever<<<1, 1, 0, stream>>>(C);
}
