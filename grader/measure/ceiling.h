/*
 * ceiling.h - what cores of this machine can do at most: the two roofs of the roofline model,
 * measured.
 */
#ifndef MEASURE_CEILING_H
#define MEASURE_CEILING_H

#include <stdbool.h>

#include "kernel/values.h"
#include "model/result.h"

/* With `count` cores at work at the same time: the rate of multiply-adds of each type from
 * registers, with the widest vectors that the CPU has (a multiplication and an addition count as
 * two operations), and the rates of copy and triad in memory that is far larger than the caches
 * (bytes read plus bytes written). `type` is the kernel's: it is measured most carefully. Takes
 * half a second, and 128 MiB or 8 MiB for each core. */
struct ceiling ceiling_measure(const int *cpus, int count, enum element_type type);

/* True when the CPU has units for products of 8-bit tiles (AMX). They are no part of that rate. */
bool ceiling_has_tiles(void);

#endif
