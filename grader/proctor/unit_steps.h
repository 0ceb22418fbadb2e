/* unit_steps.h - a wrong result that is right if the function is called for one step at a time: is
 * something done once that each step needs? */
#ifndef PROCTOR_UNIT_STEPS_H
#define PROCTOR_UNIT_STEPS_H

#include "proctor/unit_job.h"
#include "proctor/unit_state.h"

/* Add a remark to the result of a failed unit. */
void unit_steps_find(const struct unit_job *job, struct unit_state *s, struct unit_result *r);

#endif
