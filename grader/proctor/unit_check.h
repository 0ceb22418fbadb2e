/*
 * unit_check.h - the checks of a unit's cases under one launch.
 */
#ifndef PROCTOR_UNIT_CHECK_H
#define PROCTOR_UNIT_CHECK_H

#include "proctor/unit_driver.h"

/* Run one case and check the results. Adds to *f, and to the state. 0, or -1 for infrastructure
 * trouble. */
int unit_check_case(const struct unit_job *job, struct unit_state *s, struct unit_result *r,
                    const struct case_task *task, struct finding *f, struct err *e);

/* A case has given a wrong result under several workers: always, by chance, or since a rank did not
 * wait for what it had begun? Adds to *f. 0, or -1 with *o: the driver is lost. */
int unit_check_race(const struct unit_job *job, struct unit_state *s, const struct unit_result *r,
                    const struct test_case *c, struct finding *f, struct outcome *o);

/* All correctness cases of a launch; of a replay, the selected case. Adds them to the result. 0, or
 * -1 for infrastructure trouble. */
int unit_check_launch(const struct unit_job *job, struct unit_state *s, struct unit_result *r,
                      const struct launch_task *l, struct err *e);

#endif
