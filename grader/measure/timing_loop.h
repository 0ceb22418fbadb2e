/*
 * timing_loop.h - the loop that takes blocks: yardstick, unit, yardstick, unit, ... Each run of the
 * yardstick ends one block and begins the next. Several units can take turns; then all of them
 * compute the same values between two runs of the yardstick. The rules are in acceptance.h.
 */
#ifndef MEASURE_TIMING_LOOP_H
#define MEASURE_TIMING_LOOP_H

#include "measure/acceptance.h"
#include "measure/harness_check.h"

/* One unit in the loop. */
struct loop_unit {
    struct driver_process *driver; /* borrowed, as the finding */
    struct finding *finding;       /* wrong results of samples go here */
    struct outcome outcome;        /* other than OUTCOME_OK: the driver is lost */
    struct block *blocks;          /* room for series_blocks_most() */
    unsigned count;
    unsigned first; /* block of the current driver process */
    int process;    /* the current driver process, counted from 0 */
    bool over;      /* no further blocks */
    struct estimate estimate;
};

/* What is timed. */
struct loop_task {
    struct harness *harness;
    const struct test_case *test_case;
    double hint;      /* first guess of the seconds of one call; of several units, of the fastest */
    int64_t limit_ms; /* of one call */
    bool same_pages;  /* all samples use the same pages */
    unsigned reps;    /* problems of a sample. The loop makes it larger if samples are too short */
};

/* The `reps` to begin with. */
unsigned timing_loop_reps(const struct harness *h, struct shape shape, double seconds);

/* Take blocks until every unit is over. Adds to *seen, and adjusts the harness's expected time.
 * 0; -1 with *o: trouble with the yardstick. What happens to a unit stays with this unit. */
int timing_loop_run(struct loop_task *task, const struct series_plan *plan, struct loop_unit *units,
                    size_t n, struct interference *seen, struct outcome *o);

#endif
