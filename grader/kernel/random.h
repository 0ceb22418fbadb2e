/*
 * random.h - random elements of matrices, by a counter-based generator in 32-bit arithmetic:
 * MurmurHash3's finalizer over a keyed counter, by A. Appleby, public domain. Compilers turn it
 * into vector code, so filling a matrix is limited by memory only.
 */
#ifndef KERNEL_RANDOM_H
#define KERNEL_RANDOM_H

#include <stdint.h>

#include "base/rng.h"

/* A function that fills a matrix: also built for the vectors of newer processors, if the compiler
 * can choose one of several versions when the program starts. All versions give the same values. */
#if defined __x86_64__ && defined __gnu_linux__ && !defined __clang__
#define RANDOM_FILLS __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define RANDOM_FILLS
#endif

struct random_key {
    uint32_t k0, k1;
};

/* Of the i-th input. */
static inline struct random_key random_key(uint64_t seed, int i)
{
    const uint64_t key = rng_child(seed, (uint64_t)i);
    return (struct random_key){(uint32_t)key, (uint32_t)(key >> 32)};
}

static inline uint32_t random_word(uint32_t i, struct random_key k)
{
    uint32_t x = i * UINT32_C(0x9e3779b1) + k.k0;
    x ^= x >> 16;
    x *= UINT32_C(0x85ebca6b);
    x ^= x >> 13;
    x = x * UINT32_C(0xc2b2ae35) + k.k1;
    return x ^ (x >> 16);
}

/* A whole number, +-1 .. +-(2^bits - 1), never 0; bits <= 31. */
static inline double random_whole(uint32_t word, int bits)
{
    const uint32_t size = 1 + (uint32_t)(((word >> 1) * ((UINT64_C(1) << bits) - 1)) >> 31);
    return word & 1 ? -(double)size : (double)size;
}

/* -1 .. 1, with all bits of the mantissa. */
static inline float random_uniform_f32(uint32_t i, struct random_key k)
{
    return (float)((int32_t)random_word(i, k) >> 7) * 0x1p-24F;
}

static inline double random_uniform_f64(uint32_t i, struct random_key k)
{
    const struct random_key other = {k.k1, k.k0};
    /* Vectors of 64-bit integers are not converted by all processors. */
    const double high = (double)(int32_t)random_word(i, k);
    return (high * 0x1p22 + (double)(int32_t)(random_word(i, other) >> 10)) * 0x1p-53;
}

#endif
