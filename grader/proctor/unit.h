/*
 * unit.h - one unit from source to result: build it, check every case under every launch,
 * time it, decide.
 */
#ifndef PROCTOR_UNIT_H
#define PROCTOR_UNIT_H

#include "base/err.h"
#include "model/result.h"
#include "proctor/node_context.h"
#include "proctor/unit_job.h"
#include "supervise/outcome.h"

/* Run a unit. 0: *r is complete. -1: infrastructure trouble, which is not the student's fault, or
 * told to stop before all of it was done; with end->now the fault is not known yet. The caller
 * frees *r with unit_result_free() in both cases.
 */
int unit_run(struct node_context *n, const struct unit *u, const struct selection *selection,
             struct unexplained_end *end, struct unit_result **r, struct err *e);

#endif
