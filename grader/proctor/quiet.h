/*
 * quiet.h - one node, many proctors of one user: nothing is built or checked while another unit
 * is being timed.
 *
 * A readers-writer lock on a file in /tmp: building and checking share it, timing has it alone.
 * Where /tmp is private to a job, or the file cannot be opened, there is no exclusion.
 */
#ifndef PROCTOR_QUIET_H
#define PROCTOR_QUIET_H

#include <stdbool.h>
#include <stdint.h>

struct quiet {
    int fd;             /* -1: no exclusion */
    uint64_t waited_ns; /* spent waiting so far: not the unit's time */
};

void quiet_open(struct quiet *q, bool wanted);
void quiet_share(struct quiet *q); /* wait until nothing is timed */
void quiet_alone(struct quiet *q); /* wait until nobody else works */
void quiet_close(struct quiet *q);

#endif
