/*
 * unit_timing.h - the timed cases of a unit: all of its launches, and of a sweep all combinations,
 * in turns.
 */
#ifndef PROCTOR_UNIT_TIMING_H
#define PROCTOR_UNIT_TIMING_H

#include "proctor/unit_driver.h"

/* What was built and is to be timed, under one launch. */
struct timed_launch {
    int point; /* of a sweep's combinations of macro values; 0 elsewhere */
    int index; /* of the tier's launches */
    struct launch launch;
    const char *library; /* borrowed */
};

/* Let the drivers of the unit be of this launch, on these cores, from now on. */
void unit_timing_select(struct unit_state *s, const struct timed_launch *l,
                        const struct cores *cores);

/* Check the performance cases under a launch that cannot be timed because it has more workers than
 * there are cores. Adds the cases to the result. 0, or -1 for infrastructure trouble. */
int unit_timing_check_only(const struct unit_job *job, struct unit_state *s, struct unit_result *r,
                           const struct timed_launch *l, struct err *e);

/* Check and time the performance cases of n launches. Of a unit, the first failure ends this; of a
 * sweep, it ends only what the failed launch is of. The caller holds the timing lock exclusively.
 * Adds the cases to the result. 0, or -1 for infrastructure trouble. */
int unit_timing_take(const struct unit_job *job, struct unit_state *s, struct unit_result *r,
                     const struct timed_launch *l, size_t n, struct err *e);

/* Execute the largest size once under the device's profiler, if there is one: what did its time
 * consist of? If the profiler fails, the result has no profile, and the driver has ended. */
void unit_timing_profile(const struct unit_job *job, struct unit_state *s, struct unit_result *r);

/* Count events at each size that was timed under a launch, whose cores have been chosen. Starts a
 * driver, and ends it. 0, or -1 if that driver was lost: then the remaining sizes have no counters.
 * Nothing that happens here changes the unit's verdict or its limits. */
int unit_timing_count(const struct unit_job *job, struct unit_state *s, struct unit_result *r,
                      int launch_index);

#endif
