/*
 * unit_right.h - is a unit right, as it is started and judged now, in cases in which it was wrong?
 */
#ifndef PROCTOR_UNIT_RIGHT_H
#define PROCTOR_UNIT_RIGHT_H

#include "model/result.h"
#include "proctor/unit_job.h"
#include "proctor/unit_state.h"

/* Are there cases in which its results were wrong because of the values, and nothing else? */
bool unit_right_can_tell(const struct unit_result *r);

/* Is it right in such cases? False also where there are none. launch: NULL for that under which it
 * failed. No driver runs before and after. */
bool unit_right_now(const struct unit_job *job, struct unit_state *s, const struct unit_result *r,
                    const struct launch *launch);

#endif
