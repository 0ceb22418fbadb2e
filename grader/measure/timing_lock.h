/*
 * timing_lock.h - while a unit is timed, no other proctor of the same user builds or checks on this
 * node.
 *
 * A readers-writer lock on a file in /tmp. Building and checking hold it shared, timing holds it
 * exclusively. There is no exclusion where every job has its own /tmp, or where the file cannot be
 * opened.
 */
#ifndef MEASURE_TIMING_LOCK_H
#define MEASURE_TIMING_LOCK_H

#include <stdbool.h>
#include <stdint.h>

struct timing_lock {
    int fd;             /* -1: no exclusion */
    uint64_t waited_ns; /* time spent waiting so far: the units' limits do not run meanwhile */
};

/* wanted: false opens a lock without exclusion. */
void timing_lock_open(struct timing_lock *l, bool wanted);
void timing_lock_share(struct timing_lock *l);     /* wait until nothing is timed */
void timing_lock_exclusive(struct timing_lock *l); /* wait until nobody else holds it */
void timing_lock_close(struct timing_lock *l);

#endif
