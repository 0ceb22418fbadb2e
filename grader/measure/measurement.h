/*
 * measurement.h - timing a case that passed its checks: one unit alone, or several in turns.
 *
 * What a driver process was given when it started is the same in all of its samples: where its
 * buffers are, and how its ranks reach each other. Where this makes a difference, several processes
 * are started one after the other, and each is one observation.
 */
#ifndef MEASURE_MEASUREMENT_H
#define MEASURE_MEASUREMENT_H

#include <stdint.h>

#include "measure/harness_check.h"
#include "model/summary.h"

/* What is timed, and how. */
struct measurement_task {
    const struct test_case *test_case;
    const struct performance *performance; /* precision and budgets, of one unit */
    double hint;      /* first guess of the seconds of one call; of several units, of the fastest */
    int64_t limit_ms; /* of one call */
    bool same_pages;  /* all samples use the same pages; otherwise each uses other ones */
};

/* The result. */
struct measurement {
    struct sample *samples; /* owned */
    unsigned samples_count;
    double expected; /* seconds of the yardstick, from the node's record; NAN: it has none */
    struct summary summary;
    double cores_used, busiest; /* as in struct case_result */
    struct rank_work *ranks;    /* owned; NULL: not asked for */
    unsigned ranks_count;
};

/* Move a measurement to where it is recorded. If nothing was timed, *r stays as it is. */
void measurement_store(struct measurement *m, struct case_result *r);
void measurement_free(struct measurement *m);

/* How to replace a driver process by a new one on the same cores. With an outcome other than
 * OUTCOME_OK there is none now. */
struct restart {
    void (*start)(void *with, struct outcome *o);
    void *with;
};

struct timed_unit {
    struct driver_process *driver;
    const struct restart *restart;  /* NULL: all samples are of this process */
    struct finding *finding;        /* in and out: wrong results of samples are added */
    struct outcome outcome;         /* out: other than OUTCOME_OK: the driver is lost */
    struct measurement measurement; /* out, also after a failure; the caller stores or frees it */
};

/* Time one unit. *wait_budget_ms: what may be spent beyond the budget, waiting for an undisturbed
 * node; it is reduced by what was spent. Of several ranks, asks what each has done. 0; -1 with *o:
 * the driver is lost, or, with OUTCOME_NOT_STARTED, there was trouble with the yardstick. */
int measurement_take(struct harness *h, const struct measurement_task *task, struct timed_unit *u,
                     int64_t *wait_budget_ms, struct outcome *o);

/* Time several units in turns: in each round all of them compute the same values, between two runs
 * of the yardstick. What happens to one unit stays with that unit. 0; -1 with *o: trouble with the
 * yardstick. */
int measurement_take_in_turns(struct harness *h, const struct measurement_task *task,
                              struct timed_unit *units, size_t n, int64_t *wait_budget_ms,
                              struct outcome *o);

#endif
