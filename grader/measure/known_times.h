/*
 * known_times.h - the yardstick's best time on this node at each size, as far as this process knows
 * it.
 */
#ifndef MEASURE_KNOWN_TIMES_H
#define MEASURE_KNOWN_TIMES_H

#include <stddef.h>

#include "kernel/shape.h"

struct known_time {
    struct shape shape;
    double seconds;
};

/* One time per shape. Owns its items; all zero is empty. */
struct known_times {
    struct known_time *item;
    size_t count;
};

/* Seconds; NAN: unknown. */
double known_times_get(const struct known_times *t, struct shape shape);
/* Keep the time if it is a better one; NAN: nothing happens. */
void known_times_note(struct known_times *t, struct shape shape, double seconds);
void known_times_free(struct known_times *t);

#endif
