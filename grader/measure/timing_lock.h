/*
 * timing_lock.h - one node, many proctors of one user: nothing is built or checked while another
 * unit is being timed.
 *
 * A readers-writer lock on a file in /tmp: building and checking share it, timing has it alone.
 * Where /tmp is private to a job, or the file cannot be opened, there is no exclusion.
 */
#ifndef MEASURE_TIMING_LOCK_H
#define MEASURE_TIMING_LOCK_H

#include <stdbool.h>
#include <stdint.h>

struct timing_lock {
    int fd;             /* -1: no exclusion */
    uint64_t waited_ns; /* spent waiting so far: not the unit's time */
};

void timing_lock_open(struct timing_lock *q, bool wanted);
void timing_lock_share(struct timing_lock *q);     /* wait until nothing is timed */
void timing_lock_exclusive(struct timing_lock *q); /* wait until nobody else works */
void timing_lock_close(struct timing_lock *q);

#endif
