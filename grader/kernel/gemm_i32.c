/*
 * gemm_i32.c - the dense product C = A B of 32-bit integers, mod 2^32.
 *
 * Values come from a counter-based generator in 32-bit arithmetic: MurmurHash3's finalizer over a
 * keyed counter, by A. Appleby, public domain. Compilers turn it into vector code, so filling a
 * matrix is limited by memory only. The right answer comes from the simd kernel of the reference.
 * It is linked in as gemm_i32(), and a unit test compares it with the plain triple loop.
 */
#include <string.h>

#include "abi/gemm.h"
#include "base/rng.h"
#include "kernel/gemm_i32.h"
#include "kernel/pattern.h"

static size_t elements(struct shape s, int i)
{
    return i == 0 ? (size_t)s.m * (size_t)s.k : (size_t)s.k * (size_t)s.n;
}

static size_t input_bytes(struct shape s, int i)
{
    return elements(s, i) * sizeof(int32_t);
}

static size_t output_bytes(struct shape s)
{
    return (size_t)s.m * (size_t)s.n * sizeof(int32_t);
}

static inline uint32_t scramble(uint32_t i, uint32_t k0, uint32_t k1)
{
    uint32_t x = i * UINT32_C(0x9e3779b1) + k0;
    x ^= x >> 16;
    x *= UINT32_C(0x85ebca6b);
    x ^= x >> 13;
    x = x * UINT32_C(0xc2b2ae35) + k1;
    return x ^ (x >> 16);
}

static void generate(struct shape s, enum value_dist values, uint64_t seed, int i, void *dst)
{
    uint64_t key = rng_child(seed, (uint64_t)i);
    uint32_t k0 = (uint32_t)key, k1 = (uint32_t)(key >> 32);
    uint32_t n = (uint32_t)elements(s, i);
    int32_t *x = dst;
    switch (values) {
    case VALUES_FULL:
        for (uint32_t j = 0; j < n; j++)
            x[j] = (int32_t)scramble(j, k0, k1);
        return;
    case VALUES_SMALL:
        for (uint32_t j = 0; j < n; j++)
            x[j] = (int32_t)(scramble(j, k0, k1) >> 28) - 8;
        return;
    case VALUES_NEGATIVE:
        for (uint32_t j = 0; j < n; j++)
            x[j] = -1 - (int32_t)((scramble(j, k0, k1) >> 12) * 1000u >> 20);
        return;
    case VALUES_SPARSE:
        for (uint32_t j = 0; j < n; j++) {
            uint32_t v = scramble(j, k0, k1);
            x[j] = (v & 7) == 0 ? (int32_t)v : 0;
        }
        return;
    }
}

static void expect(struct shape s, const void *const in[], void *out)
{
    gemm_i32(s.m, s.n, s.k, in[0], in[1], out);
}

static uint64_t compare(struct shape s, const void *expected, const void *got, uint64_t poison,
                        struct launch launch, struct mismatch *m)
{
    *m = (struct mismatch){0};
    if (memcmp(expected, got, output_bytes(s)) == 0)
        return 0;
    const struct comparison c = {.rows = s.m,
                                 .cols = s.n,
                                 .expected = expected,
                                 .got = got,
                                 .poison = poison,
                                 .launch = launch};
    pattern_describe(&c, m);
    return m->wrong;
}

static double operations(struct shape s)
{
    return 2.0 * s.m * s.n * s.k;
}

static double bytes(struct shape s)
{
    return (double)(input_bytes(s, 0) + input_bytes(s, 1) + output_bytes(s));
}

const struct kernel kernel_gemm_i32 = {
    .name = "gemm",
    .type = TYPE_I32,
    .inputs = 2,
    .input_name = {"A", "B"},
    .output_name = "C",
    .function = "gemm_i32",
    .input_bytes = input_bytes,
    .output_bytes = output_bytes,
    .generate = generate,
    .expect = expect,
    .compare = compare,
    .operations = operations,
    .bytes = bytes,
};
