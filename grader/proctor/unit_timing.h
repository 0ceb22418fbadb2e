/*
 * unit_timing.h - the timed cases of a unit under one launch.
 */
#ifndef PROCTOR_UNIT_TIMING_H
#define PROCTOR_UNIT_TIMING_H

#include "proctor/unit_driver.h"

/* Check and time the performance cases of a launch, until one fails. The caller holds the timing
 * lock exclusively. Adds the cases to the result. 0, or -1 for infrastructure trouble. */
int unit_timing_launch(const struct unit_job *job, struct unit_state *s, struct unit_result *r,
                       const struct launch_task *l, struct err *e);

/* Execute the largest size once under the device's profiler, if there is one: what did its time
 * consist of? If the profiler fails, the result has no profile, and the driver has ended. */
void unit_timing_profile(const struct unit_job *job, struct unit_state *s, struct unit_result *r);

/* Count events at each size that was timed under a launch, whose cores have been chosen. Starts a
 * driver, and ends it. 0, or -1 if that driver was lost: then the remaining sizes have no counters.
 * Nothing that happens here changes the unit's verdict or its limits. */
int unit_timing_count(const struct unit_job *job, struct unit_state *s, struct unit_result *r,
                      int launch_index);

#endif
