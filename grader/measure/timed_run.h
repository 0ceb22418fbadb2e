/*
 * timed_run.h - one timed run of a unit.
 */
#ifndef MEASURE_TIMED_RUN_H
#define MEASURE_TIMED_RUN_H

#include "measure/harness_check.h"
#include "measure/run_overhead.h"
#include "model/estimate.h"

struct run_task {
    struct driver_process *driver;
    const struct test_case *test_case;
    unsigned reps;               /* problems in the arena */
    int64_t limit_ms;            /* for all of them together */
    const double *least_spread;  /* of right answers: see struct judgement */
    const struct run_cost *cost; /* on a device: what is not the kernel's */
};

/* One run of a unit: let the driver compute the problems that the yardstick has just computed, and
 * check the results. Fills what *s says of the unit, but not the start and the yardstick. Adds
 * wrong results to *f. 0, or -1 with *o: the driver is lost. */
int timed_run_take(struct harness *h, const struct run_task *task, struct sample *s,
                   struct finding *f, struct outcome *o);

/* What each rank has done since the last call of this function. `ranks` has room for all of them;
 * NULL: only start anew. Returns as timed_run_take(). */
int timed_run_ask_ranks(struct driver_process *d, int64_t limit_ms, struct rank_work *ranks,
                        struct outcome *o);

#endif
