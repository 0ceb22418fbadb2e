/* rng_unit.h - random numbers between 0 and 1, for tests and simulations. */
#ifndef TESTS_RNG_UNIT_H
#define TESTS_RNG_UNIT_H

#include <stdint.h>

/* Uniform in [0, 1) with 53 bits. */
static inline double rng_unit(uint64_t word)
{
    return (double)(word >> 11) * 0x1.0p-53;
}

#endif
