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

#endif
