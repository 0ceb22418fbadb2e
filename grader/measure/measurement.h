/*
 * measurement.h - timing units: one unit under all its launches, or all combinations of a sweep.
 *
 * What a process was given when it started is the same in all of its runs: where its buffers are,
 * and how its ranks reach each other. So each unit is started several times, and the rules of
 * model/estimate.h make a time of that. The starts of all units take turns, and each serves all
 * sizes: a slow spell of the node then costs each unit a start or two, and no unit all of them.
 */
#ifndef MEASURE_MEASUREMENT_H
#define MEASURE_MEASUREMENT_H

#include "measure/timed_start.h"

/* A unit, as a driver process that can be started again and again on the same cores. No driver is
 * alive before and after. */
struct timed_unit {
    struct driver_process *driver;
    /* With an outcome other than OUTCOME_OK there is no driver now. */
    void (*start)(void *with, struct outcome *o);
    /* End it. failed: the size at which it was wrong or lost, in its row; NULL: it was right.
     * False: nothing is to be timed any more. */
    bool (*end)(void *with, struct series *failed);
    void *with;
    const struct driver_spec *spec; /* that all of its processes are started with */
};

struct measurement_task {
    const struct timed_unit *unit;
    size_t units, sizes;
    double precision;
    int64_t limit_ms; /* of one call */
    const char *what; /* for people: "timing" */
};

/* Time all units at all sizes. `series` has a row for each unit and a column for each size, each
 * with its case, budget and finding. When a unit is wrong, or its driver is lost, its row says so,
 * and it is not timed any more; the others are. The harness learns how fast the yardstick is.
 * 0; -1 with *o: trouble with the yardstick. */
int measurement_take(struct harness *h, const struct measurement_task *task, struct series *series,
                     struct outcome *o);

/* Move the samples of a series to where they are recorded. Those of a unit that failed at another
 * size are not: it may have been fast because it is wrong. */
void measurement_store(struct series *row, size_t sizes, size_t size, struct case_result *r);

#endif
