/*
 * unit_mistake.h - does a unit with wrong results make a mistake that the kernel file knows?
 */
#ifndef PROCTOR_UNIT_MISTAKE_H
#define PROCTOR_UNIT_MISTAKE_H

#include "model/result.h"
#include "proctor/unit_job.h"
#include "proctor/unit_state.h"

/* Adds the words of the first mistake whose results are those of the unit, in cases that failed.
 * The unit's driver has ended. */
void unit_mistake_find(const struct unit_job *job, struct unit_state *s, struct unit_result *r);

#endif
