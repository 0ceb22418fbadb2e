/*
 * unit_check.h - the checks of a unit's cases under one launch.
 */
#ifndef PROCTOR_UNIT_CHECK_H
#define PROCTOR_UNIT_CHECK_H

#include "proctor/unit_work.h"

/* Run one case `runs` times with the values from first_run on, and check the results. Adds to *f,
 * and to the state of the unit. 0, or -1 for infrastructure trouble. */
int unit_check_case(struct unit_work *w, const struct test_case *c, uint64_t first_run, int runs,
                    struct finding *f, struct err *e);

/* A case has given a wrong result under several workers: does it always, or by chance? Adds to *f.
 * 0, or -1 with *o: the driver is lost. */
int unit_check_race(struct unit_work *w, const struct test_case *c, struct finding *f,
                    struct outcome *o);

/* All correctness cases of a launch; of a replay, the selected case. Adds them to the result. 0, or
 * -1 for infrastructure trouble. */
int unit_check_launch(struct unit_work *w, const struct launch_task *l, struct err *e);

#endif
