/*
 * mask.h - the mask on inputs that are copied to a device.
 *
 * Inputs are copied to a device before the clock starts. Student code may still run on the device
 * or in the process at that time, and cannot be stopped from outside. So the copy is masked, word
 * by word, and the key comes with GO. Before the clock runs, the memory of the device does not hold
 * the inputs. The device removes the mask first of all after GO.
 *
 * A word of the mask is its index after two rounds of the finaliser of SplitMix64 (G. Steele, D.
 * Lea, C. Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014), with a secret before
 * each round. So nobody who knows some words of the inputs can find the others by inverting the
 * rounds.
 */
#ifndef PARAGRADE_MASK_H
#define PARAGRADE_MASK_H

#include <stdint.h>

#ifdef __CUDACC__
#define PG_ON_BOTH __host__ __device__
#elif defined _OPENACC
#define PG_ON_BOTH _Pragma("acc routine seq")
#else
#define PG_ON_BOTH
#endif

struct pg_key {
    uint64_t before, between;
};

PG_ON_BOTH static inline uint64_t pg_mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/* The word of the mask that is combined by exclusive or with word `index` of the mapping of input
 * `input`. */
PG_ON_BOTH static inline uint64_t pg_mask_word(struct pg_key key, uint64_t input, uint64_t index)
{
    uint64_t x = (input << 48 | index) * UINT64_C(0x9e3779b97f4a7c15);
    return pg_mix(pg_mix(x + key.before) ^ key.between);
}

#endif
