/*
 * ceiling.h - what one core of this machine can do at most: the two roofs of the roofline model,
 * measured.
 */
#ifndef MEASURE_CEILING_H
#define MEASURE_CEILING_H

#include <stdbool.h>

/* The rate of 32-bit integer multiply-adds from registers, with the widest vectors that the CPU
 * has: 10^9 operations per second. A multiplication and an addition count as two operations. Takes
 * about 0.1 s for each width of vectors. */
double ceiling_multiply_add(void);

/* True when the CPU has units for products of 8-bit tiles (AMX). They are no part of that rate. */
bool ceiling_has_tiles(void);

/* The rate of copying memory that is far larger than the caches: 10^9 bytes per second, bytes read
 * plus bytes written. Takes about 0.1 s and 128 MiB. */
double ceiling_copy(void);

#endif
