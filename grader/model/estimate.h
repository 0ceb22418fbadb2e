/*
 * estimate.h - from timed blocks to a speed with an interval: the rules of measuring, all of them.
 *
 * Pure: no clock, no files, no random numbers. The proctor follows these rules while it measures
 * (measure/timed_blocks.h), `verify` recomputes what they say, and tests/simulate tries them in
 * worlds whose truth is known.
 *
 * A block is: yardstick, unit, yardstick. The yardstick is a trusted kernel that runs on the first
 * core of the unit. The estimate is the unit's speed in yardsticks: the time of the yardstick over
 * the time of the unit. Each run of the yardstick ends one block and begins the next.
 */
#ifndef MODEL_ESTIMATE_H
#define MODEL_ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/stats.h"

/* Every constant of measuring, with its reason. The figures come from `make simulate`. */

/* A block counts when the yardstick is within this share of its expected or present time, and no
 * thread of the unit was ready to run without running for a larger share of the block. With 3 %, a
 * node whose clock drifts takes three times as long; with 5 %, a unit that slows the yardstick
 * gains more than 2 %. */
#define ESTIMATE_TOLERANCE 0.04
/* A block counts when no other core of the unit was slower than expected by more than this share.
 * It is seen for some milliseconds only, so it varies by a twentieth on a normal node. A yardstick
 * that is slower by less, with and without the unit, shows the node as it is at present: to wait
 * for a faster one takes all of the time for waiting, and says no more. */
#define ESTIMATE_OTHERS 0.1
/* Another core is believed to slow a unit by this factor at most. Without a limit, a unit on a
 * crowded node gains 85 %, and with 2, 7 %. */
#define ESTIMATE_OTHERS_MOST 1.7
/* What slows the yardstick by a factor x slows a unit by at most x to this power. Only for the
 * interval of what was measured under interference. */
#define ESTIMATE_FELT 2.0
enum {
    /* Accepted blocks in a process. With six, a kernel with two speeds or with slow runs now and
     * then is off by 2 %. More say little more: pages and placement stay the same. */
    ESTIMATE_BLOCKS = 8,
    /* Processes. Fewer than five can agree by chance: then a wrong time is called precise. Three
     * have to do where five blocks take longer than ESTIMATE_WAIT_BUDGETS budgets. (If one budget
     * were the limit, a kernel with two speeds and blocks of half a budget would be called precise
     * wrongly in 16 % of its gradings, and not in 6 %.) */
    ESTIMATE_PROCESSES_FEW = 3,
    ESTIMATE_PROCESSES_LEAST = 5,
    /* What waiting, starting processes and rejected blocks may cost, in budgets of a case: a slow
     * spell of a shared host lasts for some ten seconds, and the usual budget is 4 s. With two, the
     * error in such spells is over 4 %. With four, a node that is never quiet takes a quarter
     * longer, for 0.2 % less. */
    ESTIMATE_WAIT_BUDGETS = 3,
};

/* Times in seconds, of one problem. A factor of 1 means: as fast as expected, or there is no other
 * core. What is not known or does not exist is 0, unless it says otherwise. */
struct block {
    double yard[2]; /* the yardstick before and after */
    double unit;    /* the unit */
    double waited;  /* share of the time for which other programs made a thread of the unit wait, at
                       least */
    double others;  /* factor by which the slowest of the unit's other cores was slower */
    /* The yardstick, and `others`, when no process of the unit existed: just before its present
     * process was started. */
    double alone, others_alone;
    double seconds; /* that the whole block took */
    int process;    /* of those that were started one after the other, from 0 */
    int reps;       /* problems that the run of the unit computed */
    /* Not for the estimate. */
    double cores;      /* threads running or ready to run, on average; NAN: unknown */
    double busiest;    /* share of the processor time that one thread had, 0..1; NAN: unknown */
    double end_to_end; /* with the copies to and from the device; 0: it has no device */
    double device;     /* by the device's own events */
    double late; /* seconds by which the copy back from the device was late; `unit` has a part */
};

struct estimate {
    struct interval relative; /* yardstick seconds / unit seconds, with its 95 % interval */
    double systematic; /* the part of its half width that no repetition narrows, as a share */
    bool precise;      /* the interval is as narrow as asked for */
    unsigned accepted; /* blocks */
    unsigned processes;
    unsigned disturbed; /* of these: without any accepted block */
};

/* The yardstick's time on this node without interference. It is `recorded`, the one of the node's
 * record, unless the yardstick alone is faster by more than ESTIMATE_TOLERANCE (the median over the
 * processes). Then the record was made under interference, and that median is the expected time. */
double estimate_expected(const struct block *b, size_t n, double recorded);

/* The yardstick's time at present, whatever the unit does. It is `expected`, unless the yardstick
 * alone is slower by more than ESTIMATE_TOLERANCE (the same median). Then it is that median. If it
 * is slower by more than ESTIMATE_OTHERS, this is interference, which may end. */
double estimate_present(const struct block *b, size_t n, double expected);

/* Did nothing interfere with this block? The unit's own times do not matter: whoever selects by
 * them selects the outcome. `expected`: the yardstick's time on this node without interference;
 * `present`: as estimate_present() says. */
bool block_accepted(const struct block *b, double expected, double present);

/* What n blocks say. They are ordered by process. precision: half of the interval, as a share. */
struct estimate estimate_of(const struct block *b, size_t n, double expected, double precision);

enum estimate_step {
    ESTIMATE_TAKE,  /* take a block */
    ESTIMATE_WAIT,  /* run the yardstick again: the node is slow at the moment */
    ESTIMATE_START, /* start the next process, then take a block */
    ESTIMATE_DONE,
};

/* What has been measured so far, and at what cost. */
struct estimate_input {
    const struct block *block;
    size_t count;
    double expected; /* seconds of the yardstick: estimate_expected() */
    double precision;
    double budget; /* seconds for accepted blocks */
    size_t trials; /* blocks that are wanted, precise or not, within ESTIMATE_WAIT_BUDGETS */
    double waited; /* seconds spent on ESTIMATE_WAIT, and on starting processes */
    double slower; /* factor by which the yardstick was slower just now */
    double others; /* the same for the slowest of the other cores */
};

enum estimate_step estimate_next(const struct estimate_input *p);

/* Was the yardstick slower just now than it should be at present? */
bool estimate_yardstick_slow(const struct estimate_input *p);

#endif
