/*
 * unit_launches.h - the launches of a unit that was built. For each, one driver gets all
 * correctness cases. Then come the stress launches with more threads than cores, which make races
 * visible. If everything passes, all launches are timed in turns.
 */
#ifndef PROCTOR_UNIT_LAUNCHES_H
#define PROCTOR_UNIT_LAUNCHES_H

#include "proctor/unit_driver.h"

/* What is checked under the tier's launch i; stress launches come after the others
 * (tier_check_count()). */
struct launch_task unit_launches_task(const struct unit_job *job, unsigned i);
/* What was checked when a case was. */
struct launch_task unit_launches_task_of(const struct unit_job *job, const struct case_result *c);

/* Run all launches; adds the cases to the result. 0, or -1 for infrastructure trouble. */
int unit_launches_run(const struct unit_job *job, struct unit_state *s, struct unit_result *r,
                      struct err *e);

#endif
