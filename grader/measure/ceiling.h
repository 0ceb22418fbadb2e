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
 * (bytes read plus bytes written). `type` is the kernel's: it is measured most carefully.
 * Takes a tenth of a second. With `memory`, it takes twice as long, and 128 MiB or 8 MiB for each
 * core; without it, the rates of memory are 0. */
struct ceiling ceiling_sample(const int *cpus, int count, enum element_type type, bool memory);

/* Interference makes a sample smaller, so the best of several counts: raise the rates of `best` to
 * those of `now`. */
void ceiling_raise(struct ceiling *best, const struct ceiling *now);

/* A core computes at least as fast when fewer others work. If the record says otherwise, the one of
 * fewer workers was disturbed: raise it. c: n ceilings of one node, by number of workers. */
void ceilings_align(struct ceiling *c, size_t n);

/* True when the CPU has units for products of 8-bit tiles (AMX). They are no part of that rate. */
bool ceiling_has_tiles(void);

#endif
