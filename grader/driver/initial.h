/* initial.h - values before the call, of outputs on a device that are changed in place. */
#ifndef DRIVER_INITIAL_H
#define DRIVER_INITIAL_H

#include "driver/driver.h"

/* Copies of rows within the device: `count` of `bytes` bytes, from input `input` to the output. The
 * offsets are from the start of the mappings. */
struct initial_rows {
    unsigned input;
    uint64_t from, from_stride, to, to_stride, bytes;
    unsigned count;
};

/* Call `copy` for the initial values of `reps` problems; with few calls if many rows follow each
 * other. */
void initial_copy(const struct problem *p, unsigned reps,
                  void (*copy)(const struct problem *, const struct initial_rows *));

#endif
