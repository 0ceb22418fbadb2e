/*
 * unit_again.h - a unit whose times were not confirmed is taken up again at the end of the run: it
 * is timed further, and what was found out before stays.
 */
#ifndef PROCTOR_UNIT_AGAIN_H
#define PROCTOR_UNIT_AGAIN_H

#include "model/result.h"
#include "proctor/unit_job.h"
#include "proctor/unit_state.h"

/* The unit's first result, if its times can be added to: it passed, and the same library was timed
 * on this node beside the same yardstick. The caller frees it. NULL: everything is new. */
struct unit_result *unit_again_find(const struct unit_job *job, const struct unit_result *now);

/* Move what is not timed from the first result to the new one: its cases, and what its drivers had
 * and used. */
void unit_again_take_over(struct unit_result *first, struct unit_state *s, struct unit_result *now);

#endif
