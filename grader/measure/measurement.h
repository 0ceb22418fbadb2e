/*
 * measurement.h - timing the performance cases of one launch: of one unit, or of several in turns.
 *
 * What a driver process was given when it started is the same in all of its runs: where its buffers
 * are, and how its ranks reach each other. So several processes are started one after the other,
 * and each of them is one observation. All sizes are timed in each process. The rules are in
 * model/estimate.h.
 */
#ifndef MEASURE_MEASUREMENT_H
#define MEASURE_MEASUREMENT_H

#include "measure/harness_check.h"
#include "model/estimate.h"

/* A size. */
struct timed_size {
    const struct test_case *test_case;
    double hint;   /* first guess of the seconds of one call; of several units, of the fastest */
    double budget; /* seconds for measuring one unit */
};

/* A unit, as a driver process that can be ended and started again on the same cores. */
struct timed_unit {
    struct driver_process *driver; /* alive */
    void (*end)(void *with);
    /* With an outcome other than OUTCOME_OK there is no driver now. */
    void (*start)(void *with, struct outcome *o);
    void *with;
};

struct measurement_task {
    const struct timed_size *sizes;
    size_t sizes_count;
    const struct timed_unit *units;
    size_t units_count;
    double precision; /* of one unit at one size */
    size_t trials;    /* blocks that are wanted, precise or not */
    int64_t limit_ms; /* of one call */
};

/* What was measured of one unit at one size. */
struct measurement {
    struct block *blocks; /* owned; NULL: nothing, because the unit failed */
    unsigned blocks_count;
    double expected;         /* seconds of the yardstick */
    struct rank_work *ranks; /* owned; of several ranks: what each did in these blocks */
    unsigned ranks_count;
    struct outcome outcome; /* other than OUTCOME_OK: the driver was lost here */
};

/* Time all units at all sizes. Both arrays have a row for each unit and a column for each size. The
 * drivers of all units begin with the same core.
 * findings: in and out; all say VERDICT_PASS, and wrong results are added. When a unit is wrong, or
 * its driver is lost, it is not timed any more: the others are. No blocks of it are in *results,
 * at any size. The caller frees *results with measurement_free(), also after a failure. Afterwards
 * a driver may have been ended. 0; -1 with *o: trouble with the yardstick. */
int measurement_take(struct harness *h, const struct measurement_task *task,
                     struct finding *findings, struct measurement *results, struct outcome *o);

/* Move a measurement to where it is recorded, with what it says. If nothing was timed, *r stays as
 * it is. precision: of the assignment. */
void measurement_store(struct measurement *m, double precision, struct case_result *r);
void measurement_free(struct measurement *m);

#endif
