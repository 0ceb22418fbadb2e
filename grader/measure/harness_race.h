/*
 * harness_race.h - looking for races.
 *
 * Single runs rarely show a race. Before each run the driver is halted, its threads are slow to
 * wake up, and the first thread has often done its part before the last one begins. When a kernel
 * is called again at once, its threads are warm and start together. So most runs are made back to
 * back, on different problems that are checked afterwards. Such a run costs microseconds instead of
 * a millisecond. Small matrices get the most runs: many threads meet at their elements.
 */
#ifndef MEASURE_HARNESS_RACE_H
#define MEASURE_HARNESS_RACE_H

#include <stdbool.h>

#include "measure/harness_check.h"

struct race_task {
    struct driver_process *driver;
    const struct test_case *test_case;
    uint64_t first_run; /* the first_run of the check before it: its runs are counted on */
    int64_t ms;         /* how long to search; used where `most` is 0 */
    int most;           /* > 0: stop when the finding has so many runs, or 10 failed ones */
};

/* Further runs of a case that was checked, back to back. f->seconds must be the time of one run.
 * Adds to *f. Returns as harness_check(). */
int harness_race_search(struct harness *h, const struct race_task *task, struct finding *f,
                        struct outcome *o);

/* Run a wrong case of several workers again, with the values of the first failure: is it a race?
 * Then the cause is CAUSE_RACE, until trials in other processes show another one
 * (proctor/unit_cause.h), and the message says so instead of the pattern. alone_failed: the case
 * also fails with a single worker. Returns as harness_check(). */
int harness_race_confirm(struct harness *h, struct driver_process *d, const struct test_case *c,
                         bool alone_failed, struct finding *f, struct outcome *o);

#endif
