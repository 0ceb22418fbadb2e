/*
 * timed_start.h - the samples of one unit at one size, and how one start of its process adds some:
 * yardstick, unit, yardstick, unit, ... Every run has new values, on other pages, and every element
 * of its result is checked.
 */
#ifndef MEASURE_TIMED_START_H
#define MEASURE_TIMED_START_H

#include "measure/harness_check.h"
#include "measure/run_overhead.h"
#include "model/estimate.h"

/* One unit at one size. */
struct series {
    const struct test_case *test_case; /* borrowed */
    bool left_out;                     /* the unit is not timed at this size */
    double budget;                     /* seconds, for all starts */
    /* In: what is known, from an earlier measurement. Out: with what was added. */
    struct finding finding; /* wrong results go here */
    struct sample *sample;  /* owned, as the ranks */
    unsigned count, room;
    struct rank_work *ranks; /* of several ranks: what each did in these runs */
    unsigned ranks_count;
    struct outcome outcome; /* other than OUTCOME_OK: the driver was lost here */
    /* State. */
    unsigned reps;      /* problems in a run; 0: not chosen yet */
    bool slow_first;    /* the first run of a process is slower than the next one */
    int start;          /* number of the present start */
    double alone;       /* the yardstick before it, seconds */
    double other;       /* and on another core; 0: there is none */
    double spent, last; /* seconds: of all starts, of the last one */
};

void series_free(struct series *s);

struct start_task {
    struct harness *harness;
    struct driver_process *driver; /* of the unit, alive */
    const struct run_overhead *overhead;
    int64_t limit_ms; /* of one call */
    bool same_pages;  /* all runs use the same pages */
};

/* Take the runs of this start. What happens to the unit stands in the series afterwards. 0; -1 with
 * *o: trouble with the yardstick. */
int timed_start_take(const struct start_task *task, struct series *s, struct outcome *o);

#endif
