/*
 * unit_smallest.h - after a unit has failed a correctness case: the smallest case that fails in the
 * same way, for people. Neither the verdict nor points depend on it.
 */
#ifndef PROCTOR_UNIT_SMALLEST_H
#define PROCTOR_UNIT_SMALLEST_H

#include "model/result.h"
#include "proctor/unit_job.h"
#include "proctor/unit_state.h"

/* Search from the case that the unit's message is about, for at most correctness.smallest_time and
 * half of what is left of the unit's time. Fills r->smallest if that case fails again. No driver
 * runs before and after. */
void unit_smallest_find(const struct unit_job *job, struct unit_state *s, struct unit_result *r);

#endif
