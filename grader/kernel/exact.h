/* exact.h - how many bits whole numbers may have such that every order of a sum of products is
 * exact. */
#ifndef KERNEL_EXACT_H
#define KERNEL_EXACT_H

#include <stdint.h>

/* Bits that a sum of n numbers has more than one of them. */
static inline int exact_sum_bits(int n)
{
    int bits = 0;
    while (n > INT64_C(1) << bits)
        bits++;
    return bits;
}

/* The bits of factor i, 0 or 1, if both have about as many, and their products `both`. */
static inline int exact_factor_bits(int both, int i)
{
    const int bits = i == 0 ? (both + 1) / 2 : both / 2;
    return bits < 1 ? 1 : bits > 24 ? 24 : bits;
}

#endif
