/*
 * estimate.h - from timed blocks to a speed with an interval: the rules of measuring, all of them.
 *
 * Pure: no clock, no files, no random numbers. These rules are to replace those of the proctor
 * (measure/acceptance.h), so they are tried here first: in worlds whose truth is known.
 *
 * A block is: yardstick, unit, unit, yardstick. The yardstick is a trusted kernel that runs on the
 * cores of the unit. The estimate is the unit's speed in yardsticks: the time of the yardstick over
 * the time of the unit.
 */
#ifndef SIMULATE_ESTIMATE_H
#define SIMULATE_ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/stats.h"

/* Every constant of measuring, with its reason. The figures come from `make simulate`. */

/* A block counts when the yardstick is within this share of its expected time. 1 % rejects half of
 * the blocks of a normal node; with 6 % the estimate is off by 3 % where the clock drifts. */
#define ESTIMATE_TOLERANCE 0.03
/* A block counts when no thread of the unit was ready to run without running for more than this
 * share of the time. */
#define ESTIMATE_WAITED 0.02
/* What slows the yardstick by a factor x slows a unit by at most x to this power. Only for the
 * interval of what was measured under interference. */
#define ESTIMATE_FELT 2.0
enum {
    /* Accepted blocks in a process. More say little more: pages and placement stay the same. */
    ESTIMATE_BLOCKS = 4,
    /* Processes. Fewer than five can agree by chance: then a wrong time is called precise. Three
     * have to do where five blocks take longer than the budget. */
    ESTIMATE_PROCESSES_FEW = 3,
    ESTIMATE_PROCESSES_LEAST = 5,
    ESTIMATE_PROCESSES_MOST = 12,
    /* What waiting and rejected blocks may cost, in budgets of a case: a slow spell of a shared
     * host lasts for some ten seconds. */
    ESTIMATE_WAIT_BUDGETS = 3,
};

/* Times in seconds. A factor of 1 means: as fast as expected. */
struct block {
    double yard[2]; /* the yardstick before and after */
    double unit[2]; /* the unit; [1] is NAN where a single run takes long enough */
    double waited;  /* share of the time that the worst thread of the unit was ready without
                       running */
    double others;  /* factor by which the slowest of the unit's other cores was slower */
    double alone;   /* factor by which the yardstick or one of the cores was slower at the latest
                       moment when no process of the unit existed */
    double seconds; /* that the whole block took */
    int process;    /* of those that were started one after the other, from 0 */
};

struct estimate {
    struct interval relative; /* yardstick seconds / unit seconds, with its 95 % interval */
    double repeatable;        /* half of it, as a share, that no repetition makes narrower */
    bool precise;             /* the interval is as narrow as asked for */
    unsigned accepted;        /* blocks */
    unsigned processes;
};

/* Did nothing interfere with this block? The unit's own times do not matter: whoever selects by
 * them selects the outcome. `expected`: the yardstick's time on this node without interference. */
bool block_accepted(const struct block *b, double expected);

/* What n blocks say. They are ordered by process. precision: half of the interval, as a share. */
struct estimate estimate_of(const struct block *b, size_t n, double expected, double precision);

enum estimate_step {
    ESTIMATE_TAKE,  /* take a block */
    ESTIMATE_WAIT,  /* run the yardstick again: the node is slow at the moment */
    ESTIMATE_START, /* start the next process, then take a block */
    ESTIMATE_DONE,
};

/* What has been measured so far, and at what cost. */
struct progress {
    const struct block *block;
    size_t count;
    double expected; /* seconds of the yardstick */
    double precision;
    double budget; /* seconds for accepted blocks */
    double waited; /* seconds spent on ESTIMATE_WAIT */
    double slower; /* factor by which the yardstick or one of the cores was slower just now */
};

enum estimate_step estimate_next(const struct progress *p);

/* Does a unit with runs of this length run once in a block instead of twice? */
bool estimate_single(double run, double budget);

#endif
