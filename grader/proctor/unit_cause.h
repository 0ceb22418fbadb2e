/*
 * unit_cause.h - after a unit has failed a correctness case: why, for people. Neither the verdict
 * nor points depend on it.
 */
#ifndef PROCTOR_UNIT_CAUSE_H
#define PROCTOR_UNIT_CAUSE_H

#include "model/result.h"
#include "proctor/unit_job.h"
#include "proctor/unit_state.h"

/* Run the case that the unit's message will be about in new processes, under several conditions
 * (model/cause.h), for some seconds at most. r->verdict is known. Sets the cause in the
 * results of its cases, and their messages. No driver runs before and after. */
void unit_cause_find(const struct unit_job *job, struct unit_state *s, struct unit_result *r);

/* Is this unit looked at more closely once it has failed that case? Not in a replay, nor where
 * nobody reads its cases. */
bool unit_cause_is_sought(const struct unit_job *job, const struct case_result *failed);

#endif
