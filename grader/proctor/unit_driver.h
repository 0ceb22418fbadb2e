/*
 * unit_driver.h - the driver process of a unit: replaced after a failure, and ended. The functions
 * that take the unit's state change its driver, and keep in the result what a driver reported
 * before it ended.
 */
#ifndef PROCTOR_UNIT_DRIVER_H
#define PROCTOR_UNIT_DRIVER_H

#include "base/err.h"
#include "measure/harness_check.h"
#include "model/result.h"
#include "proctor/unit_homes.h"
#include "proctor/unit_job.h"
#include "proctor/unit_state.h"
#include "supervise/outcome.h"

/* What to start. The caller adds the launch and its cores. */
struct driver_spec unit_driver_spec(const struct unit_job *job, const char *library,
                                    const struct unit_homes *homes);

/* Start a driver in empty homes. deadline, *o: as for driver_start(). */
void unit_driver_start_clean(struct driver_process *d, struct driver_spec *spec, uint64_t deadline,
                             struct outcome *o);

/* The proctors of the other nodes of a launch run. True also where nothing is to be reached: a
 * launch on one node, or no job of so many. *o, if false. */
bool unit_driver_reach(const struct unit_job *job, int nodes, struct outcome *o);

/* Start the unit's driver; there is none. With an outcome other than OUTCOME_OK there is none
 * afterwards. */
void unit_driver_start(const struct unit_job *job, struct unit_state *s, struct outcome *o);

/* Make sure that a driver runs. 0: it does, or *f says that the student's code is the reason why it
 * does not; -1: infrastructure trouble. */
int unit_driver_ensure(const struct unit_job *job, struct unit_state *s, struct unit_result *r,
                       struct finding *f, struct err *e);

/* A step has lost the driver. 0: the student's code is the reason, and *f says so; -1:
 * infrastructure trouble. */
int unit_driver_lost(const struct unit_job *job, struct unit_state *s, struct unit_result *r,
                     const struct outcome *o, struct finding *f, struct err *e);

/* Keep what the driver printed, and end it. */
void unit_driver_end(struct unit_state *s, struct unit_result *r);

#endif
