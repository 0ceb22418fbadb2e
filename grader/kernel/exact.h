/* exact.h - how many bits whole numbers may have such that every order of a sum of products is
 * exact, and the type in which sums of doubles are computed. */
#ifndef KERNEL_EXACT_H
#define KERNEL_EXACT_H

#include <float.h>
#include <stdint.h>

/* The right answers of sums of doubles are computed in long double. Its mantissa has 64 bits on x86
 * and 113 bits on 64-bit ARM. So its own errors are at most 2^-11 of those of a double. On some
 * platforms, it is no wider than double. There, honest results would be called wrong. */
_Static_assert(LDBL_MANT_DIG >= 64, "long double must have 11 bits more than double");

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
