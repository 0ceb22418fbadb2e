/*
 * node_step.h - the record of the node, before a unit of a Slurm job. No unit's attempt contains
 * the time of measuring it, and no unit is ended because this took long.
 */
#ifndef PROCTOR_NODE_STEP_H
#define PROCTOR_NODE_STEP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "proctor/node_context.h"
#include "rundir/plan.h"

/* Make sure that this node has the records that a unit needs. 1: this took time, because another
 * proctor was waited for or a record was measured; 0: nothing was missing; -1: it failed (e). */
int node_step_take(struct node_context *n, const struct unit *u, struct err *e);

/* A unit is over, before which the proctor had waited so long for the timing lock. */
void node_step_note_wait(struct node_context *n, uint64_t waited_before_ns);

/* The longest that a unit may take: its limits, and the longest wait for the timing lock that this
 * job has seen, because the limits do not run meanwhile. */
int64_t node_step_longest_ms(const struct node_context *n);

/* Is the job too short for a unit that starts now? Its time limit is slurm.time of the tier; if
 * there is none, never. job_start: CLOCK_MONOTONIC ns. */
bool node_step_too_late(const struct node_context *n, const struct unit *u, uint64_t job_start);

#endif
