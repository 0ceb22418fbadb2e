/* tier: simd */
/* Chooses among its versions by what the processor can do. */
#include "honest.h"

__attribute__((target("avx512f"))) static void wide(const struct job *j)
{
    part(j, 0, 1);
}

static void narrow(const struct job *j)
{
    part(j, 0, 1);
}

GEMM
{
    const struct job j = {M, N, K, A, B, C};
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f"))
        wide(&j);
    else
        narrow(&j);
}
