/*
 * rng.h - counter-based random numbers: a pure function of (key, counter), so any element can be
 * made anywhere, in any order, on any machine.
 */
#ifndef BASE_RNG_H
#define BASE_RNG_H

#include <stdint.h>

/* The SplitMix64 finalizer (G. Steele, D. Lea, C. Flood: Fast Splittable Pseudorandom Number
 * Generators, OOPSLA 2014): a bijection of 64-bit words with full avalanche. */
static inline uint64_t rng_mix64(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* The counter-th 64-bit word of the stream named by key. */
static inline uint64_t rng_at(uint64_t key, uint64_t counter)
{
    return rng_mix64(rng_mix64(key) + (counter + 1) * UINT64_C(0x9e3779b97f4a7c15));
}

/* A key for a sub-stream: independent of the parent and of its other children. */
static inline uint64_t rng_child(uint64_t key, uint64_t child)
{
    return rng_mix64(rng_at(key, child) ^ UINT64_C(0xd1b54a32d192ed03));
}

#endif
