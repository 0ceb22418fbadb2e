#include "kernel/gemm.h"

#include "base/rng.h"

struct gemm_key gemm_key(uint64_t seed, int i)
{
    const uint64_t key = rng_child(seed, (uint64_t)i);
    return (struct gemm_key){(uint32_t)key, (uint32_t)(key >> 32)};
}

double gemm_operations(struct shape s)
{
    return 2.0 * s.m * s.n * s.k;
}

double gemm_bytes(struct shape s, size_t bytes)
{
    return (double)((gemm_elements_in(s, 0) + gemm_elements_in(s, 1) + gemm_elements_out(s)) *
                    bytes);
}
