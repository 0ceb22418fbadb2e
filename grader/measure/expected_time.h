/*
 * expected_time.h - how long the yardstick takes on this node without interference.
 */
#ifndef MEASURE_EXPECTED_TIME_H
#define MEASURE_EXPECTED_TIME_H

#include <stddef.h>

#include "kernel/shape.h"

struct expected_time {
    struct shape shape;
    double seconds;
};

/* One per shape. Owns its items; all zero is empty. */
struct expected_times {
    struct expected_time *item;
    size_t count;
};

void expected_times_free(struct expected_times *t);
/* Seconds; NAN: unknown. */
double expected_times_get(const struct expected_times *t, struct shape shape);
void expected_times_set(struct expected_times *t, struct shape shape, double seconds);

#endif
