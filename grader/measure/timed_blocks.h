/*
 * timed_blocks.h - the loop that takes blocks: yardstick, unit, yardstick, unit, ... Several units
 * can take turns; then all of them compute the same values between two runs of the yardstick. What
 * to do next is decided by model/estimate.h.
 */
#ifndef MEASURE_TIMED_BLOCKS_H
#define MEASURE_TIMED_BLOCKS_H

#include "measure/harness_check.h"
#include "measure/run_overhead.h"
#include "model/estimate.h"

/* Seconds. What the first call of a process pays for pages and threads is nothing to a longer run.
 */
#define WARM_UP_MOST 0.1

enum series_state {
    SERIES_WANTS_PROCESS, /* blocks of another driver process are needed */
    SERIES_TAKES,         /* blocks of the current one are being taken */
    SERIES_OVER,
};

/* The blocks of one unit at one size, from all of its driver processes. */
struct block_series {
    struct driver_process *driver; /* borrowed, as the finding */
    struct finding *finding;       /* wrong results go here */
    double recorded;               /* seconds of the yardstick in the node's record */
    double expected;               /* the same, as estimate_expected() says; at first as recorded */
    double hint;                   /* first guess of the seconds of one call */
    /* State and results. */
    enum series_state state;
    struct outcome outcome; /* other than OUTCOME_OK: the driver is lost */
    unsigned reps;          /* problems in a run of the unit; 0: not chosen yet */
    struct block *blocks;   /* owned, as the ranks */
    unsigned count, room;
    double waited; /* seconds spent on waiting for less interference, and on starting processes */
    struct rank_work *ranks;
    unsigned ranks_count;
};

/* Its results are right, and its driver is there. */
bool block_series_right(const struct block_series *s);

struct block_task {
    struct harness *harness;
    const struct test_case *test_case;
    int64_t limit_ms; /* of one call */
    double precision;
    double budget; /* seconds */
    size_t trials;
    const int *cpus; /* the cores of the units; the yardstick runs on the first one */
    int cpu_count;
    double core_rate; /* expected of each of these cores, if there are several */
    const struct run_overhead *overhead;
    bool device;                /* the units compute on a device */
    bool same_pages;            /* all blocks use the same pages */
    int process;                /* number of the driver processes, from 0 */
    double alone, others_alone; /* as in struct block */
};

/* Take the blocks of the current process of each unit that wants some. Afterwards each wants
 * another process, or is over. The ranks of a driver tell what they did. 0; -1 with *o: trouble
 * with the yardstick. What happens to one unit stays with this unit. */
int timed_blocks_take(const struct block_task *task, struct block_series **units, size_t n,
                      struct outcome *o);

#endif
