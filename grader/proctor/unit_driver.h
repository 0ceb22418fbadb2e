/*
 * unit_driver.h - the driver process of a unit: replaced after a failure, and ended. All functions
 * change the state's driver, and keep in the result what a driver reported before it ended.
 */
#ifndef PROCTOR_UNIT_DRIVER_H
#define PROCTOR_UNIT_DRIVER_H

#include "base/err.h"
#include "measure/harness_check.h"
#include "model/result.h"
#include "proctor/unit_job.h"
#include "proctor/unit_state.h"
#include "supervise/outcome.h"

/* Start a driver; there is none. With an outcome other than OUTCOME_OK there is none afterwards. */
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
