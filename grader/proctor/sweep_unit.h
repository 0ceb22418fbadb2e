/*
 * sweep_unit.h - one unit of a run that sweeps over combinations of macro values. Every combination
 * is built and checked under each launch; those that are right are timed in turns
 * (unit_timing.h).
 */
#ifndef PROCTOR_SWEEP_UNIT_H
#define PROCTOR_SWEEP_UNIT_H

#include "base/err.h"
#include "model/result.h"
#include "proctor/unit_job.h"
#include "supervise/outcome.h"

/* Fill *r, which comes from unit_record_new(). What a combination does wrong is recorded with that
 * combination. 0, or -1 for trouble that is not the source's fault; *end as for unit_run(). */
int sweep_unit_run(const struct unit_job *job, struct unexplained_end *end, struct unit_result *r,
                   struct err *e);

#endif
