/*
 * ceiling.h - what one core of this machine can do at most: the roofline's two roofs, measured.
 */
#ifndef MEASURE_CEILING_H
#define MEASURE_CEILING_H

/* 32-bit integer multiply-adds from registers, 10^9 operations per second (a multiply and an add
 * count as two), with the widest vectors that the CPU has. Takes about 20 ms. */
double ceiling_multiply_add(void);
/* Copying memory far larger than the caches, 10^9 bytes per second, bytes read plus bytes
 * written. Takes about 100 ms and 128 MiB. */
double ceiling_copy(void);

#endif
