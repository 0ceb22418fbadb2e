/*
 * sweep_group.h - some combinations of a sweep with a living driver each. All but one of the
 * drivers are halted at any time. All correctness cases are tried with each of them; those that
 * pass are timed in turns, size by size.
 */
#ifndef PROCTOR_SWEEP_GROUP_H
#define PROCTOR_SWEEP_GROUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "measure/harness.h"
#include "model/result.h"
#include "proctor/unit_job.h"
#include "supervise/cores.h"
#include "supervise/driver_process.h"
#include "supervise/outcome.h"

/* Drivers that live at the same time. On a GPU each takes some hundred megabytes of its memory. */
enum { SWEEP_GROUP_MOST = 12 };

/* A unit of a sweep while it runs. */
struct sweep {
    /* input */
    const struct unit_job *job;
    struct harness *harness;
    uint64_t deadline;           /* CLOCK_MONOTONIC ns, for the whole unit */
    struct unexplained_end *end; /* in and out */

    /* output */
    unsigned built, ran; /* protections that all compilers, and all drivers, so far had */
    struct unit_result *result;
};

/* A combination under one launch shape. */
struct contender {
    /* input */
    int point, launch_index;
    struct launch launch;
    const char *library; /* borrowed */

    /* state of sweep_group_run() */
    struct cores cores;
    char *scratch, *shm;
    struct driver_process driver;
    struct driver_spec spec;
    bool out; /* it failed, and this is recorded */
};

/* Record with every size what kept a combination from being timed. */
void sweep_record_failure(struct sweep *s, const struct contender *x, enum verdict v,
                          const char *message);

/* Check and time a group. 0, or -1 for infrastructure trouble. */
int sweep_group_run(struct sweep *s, struct contender *group, size_t n, struct err *e);

#endif
