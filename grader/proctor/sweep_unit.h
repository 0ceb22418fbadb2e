/* sweep_unit.h - one unit of a run that sweeps: every combination built once, all of them checked,
 * then measured in turns. */
#ifndef PROCTOR_SWEEP_UNIT_H
#define PROCTOR_SWEEP_UNIT_H

#include "base/err.h"
#include "measure/node_context.h"
#include "model/result.h"
#include "rundir/plan.h"
#include "supervise/outcome.h"

/* Fill r, whose texts are made; dir: a fresh directory; deadline: CLOCK_MONOTONIC ns for the whole
 * unit. What a combination does wrong is recorded with that combination. 0, or -1 for trouble that
 * is not the source's; *d as for unit_run(). */
int sweep_unit_run(struct context *b, const struct unit *u, struct unexplained_end *d,
                   const char *program, const char *dir, struct unit_result *r, struct err *e);

#endif
