/* gemm.h - the dense product C = A B as kernels of the grader: a struct for each type of element,
 * and what they share. */
#ifndef KERNEL_GEMM_H
#define KERNEL_GEMM_H

#include "kernel/kernel.h"

extern const struct kernel kernel_gemm_i32, kernel_gemm_f32, kernel_gemm_f64;

/* Elements of the i-th input, and of the output. */
static inline size_t gemm_elements_in(struct shape s, int i)
{
    return i == 0 ? (size_t)s.m * (size_t)s.k : (size_t)s.k * (size_t)s.n;
}

static inline size_t gemm_elements_out(struct shape s)
{
    return (size_t)s.m * (size_t)s.n;
}

/* A counter-based generator in 32-bit arithmetic: MurmurHash3's finalizer over a keyed counter, by
 * A. Appleby, public domain. Compilers turn it into vector code, so filling a matrix is limited by
 * memory only. */
struct gemm_key {
    uint32_t k0, k1;
};

static inline uint32_t gemm_random(uint32_t i, struct gemm_key k)
{
    uint32_t x = i * UINT32_C(0x9e3779b1) + k.k0;
    x ^= x >> 16;
    x *= UINT32_C(0x85ebca6b);
    x ^= x >> 13;
    x = x * UINT32_C(0xc2b2ae35) + k.k1;
    return x ^ (x >> 16);
}

/* Of the i-th input. */
struct gemm_key gemm_key(uint64_t seed, int i);

double gemm_operations(struct shape s);
/* bytes: of an element. */
double gemm_bytes(struct shape s, size_t bytes);

#endif
