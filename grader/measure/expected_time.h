/*
 * expected_time.h - what this node does without interference: how long the yardstick takes, and how
 * fast several cores are.
 */
#ifndef MEASURE_EXPECTED_TIME_H
#define MEASURE_EXPECTED_TIME_H

#include <stddef.h>

#include "kernel/shape.h"

struct expected_time {
    struct shape shape;
    double seconds;
};

/* The rate of each of so many cores, all of them at work (core_probe.h). */
struct core_rate {
    int cores;
    double rate;
};

/* One time per shape, one rate per number of cores. Owns its items; all zero is empty. */
struct expected_times {
    struct expected_time *item;
    size_t count;
    struct core_rate *core_rate;
    size_t core_rate_count;
};

void expected_times_free(struct expected_times *t);
/* Seconds; NAN: unknown. */
double expected_times_get(const struct expected_times *t, struct shape shape);
void expected_times_set(struct expected_times *t, struct shape shape, double seconds);
/* NAN: unknown. */
double expected_core_rate(const struct expected_times *t, int cores);
/* To be called once for each number of cores. */
void expected_core_rate_add(struct expected_times *t, int cores, double rate);

#endif
