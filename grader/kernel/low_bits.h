/*
 * low_bits.h - integers whose lowest bits are right: a number inside is too narrow. Pure.
 */
#ifndef KERNEL_LOW_BITS_H
#define KERNEL_LOW_BITS_H

#include <stddef.h>
#include <stdint.h>

#include "kernel/element.h"
#include "kernel/mismatch.h"

/* Two arrays of n elements, and what is known of each (pattern.h). */
struct low_bits {
    enum element_type type;
    const void *expected, *got;
    const unsigned char *facts;
    size_t n;
};

/* Add this to the pattern, if all wrong elements have 32, 16 or 8 bits that are right. */
void low_bits_describe(const struct low_bits *l, struct mismatch *m);

/* Element i as its bits. */
uint64_t low_bits_at(const void *of, enum element_type t, size_t i);

#endif
