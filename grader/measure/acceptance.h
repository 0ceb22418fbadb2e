/*
 * acceptance.h - the rules of timing: which blocks are accepted, what they say, and when there are
 * enough of them. Pure functions; timing_loop.h takes the blocks.
 */
#ifndef MEASURE_ACCEPTANCE_H
#define MEASURE_ACCEPTANCE_H

#include <stdbool.h>
#include <stdint.h>

#include "measure/expected_time.h"
#include "model/assignment.h"
#include "model/result.h"
#include "model/summary.h"

/* Yardstick, unit, yardstick. Times are seconds. */
struct block {
    struct sample sample;    /* what is stored; `disturbed`: the block is not accepted */
    double slower, faster;   /* the two runs of the yardstick, one problem */
    double cores, busiest;   /* as in struct case_result, of this sample */
    double copied;           /* the copy back from the device; 0 on the host */
    double yardstick_copied; /* the same for the yardstick; 0: they cannot be compared */
};

/* What the blocks of a unit say. */
struct estimate {
    struct summary summary; /* of all blocks */
    unsigned blocks;        /* that its current driver process gave */
    unsigned accepted;      /* of these */
    bool strictest;         /* by the strictest rule: waiting cannot give better blocks */
};

/* Decide which of `count` blocks are accepted (sets `disturbed`), and what they say. The blocks
 * from `first` on are those of the current driver process. */
struct estimate blocks_estimate(struct block *blocks, unsigned count, unsigned first,
                                const struct performance *p, const struct expected_time *x);

/* The samples of blocks; the caller frees them. */
struct sample *blocks_samples(const struct block *blocks, unsigned count);

/* How many cores were busy in the accepted block that kept the most of them busy, and how much of
 * its processor time one thread had there; NAN without any. The best one tells: a program that
 * works in parallel does so in some blocks even on a busy node, and one that does not never does.
 */
void blocks_cores(const struct block *blocks, unsigned count, double *cores, double *busiest);

/* What a series of blocks may cost: those of one driver process, or of several units in turns. */
struct series_plan {
    struct performance performance;
    int64_t wait_budget_ms; /* beyond budget_ms, for waiting until the node is undisturbed */
};

/* How many blocks a unit needs room for, in all its processes. */
unsigned series_blocks_most(const struct performance *p);

/* No further block is needed; spent_ms: since the series began. */
bool series_complete(const struct series_plan *s, const struct estimate *e, int64_t spent_ms);

/* Is a time of the yardstick so long that a block would hardly be accepted? */
bool yardstick_disturbed(double seconds, const struct expected_time *x);

/* How long to wait at most before the next block. `taken`: blocks so far, of the unit with the
 * fewest. */
uint64_t series_wait_ns(const struct series_plan *s, unsigned taken, uint64_t spent_ns);

/* Several driver processes, one after the other: the plan for each of them. */
struct series_plan series_of_one_process(const struct series_plan *all);
/* After the first process: there is no time for several, so the rest is given to this one. False:
 * there is time. */
bool series_too_long(const struct series_plan *all, int64_t spent_ms, int64_t disturbed_ms);
struct series_plan series_rest(const struct series_plan *all, int64_t spent_ms);
/* Is a process needed after `processes` of them? spent_ms: in all. */
bool series_needs_process(const struct series_plan *all, int processes, bool precise,
                          int64_t spent_ms);

/* What remains of a wait budget after a case that took beyond_ms longer than its budget. Only the
 * part during which the node was disturbed is charged, not a slow kernel. */
int64_t wait_budget_left(int64_t wait_budget_ms, int64_t beyond_ms, const struct interference *i);

#endif
