/*
 * sweep_group.h - some combinations of a sweep with a living driver each. All but one of the
 * drivers are halted at any time. All correctness cases are tried with each of them; those that
 * pass are timed in turns, size by size.
 */
#ifndef PROCTOR_SWEEP_GROUP_H
#define PROCTOR_SWEEP_GROUP_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "model/result.h"
#include "proctor/unit_job.h"
#include "supervise/outcome.h"

/* Drivers that live at the same time. On a GPU each takes some hundred megabytes of its memory. */
enum { SWEEP_GROUP_MOST = 12 };

/* A combination of macro values under one launch shape. */
struct combination {
    int point; /* the number of the combination */
    int launch_index;
    struct launch launch;
    const char *library; /* borrowed; NULL: it was not built */
};

/* The state of a unit of a sweep while it runs. */
struct sweep_state {
    uint64_t deadline;           /* CLOCK_MONOTONIC ns, for the whole unit */
    unsigned ran;                /* protections that all drivers so far had */
    struct unexplained_end *end; /* borrowed; of the drivers that were lost */
};

/* Record with every size what kept a combination from being timed. */
void sweep_record_failure(const struct unit_job *job, const struct combination *x, enum verdict v,
                          const char *message, struct unit_result *r);

/* Check and time up to SWEEP_GROUP_MOST combinations; adds the cases to the result. 0, or -1 for
 * infrastructure trouble. */
int sweep_group_run(const struct unit_job *job, struct sweep_state *s,
                    const struct combination *combinations, size_t count, struct unit_result *r,
                    struct err *e);

#endif
