/* expect: out-of-memory */
#include "kernel.h"

KERNEL(stream)
{
    void *p = nullptr;
    (void)M, (void)N, (void)K, (void)A, (void)B, (void)C, (void)stream;
    cudaMalloc(&p, (size_t)1 << 46);
}
