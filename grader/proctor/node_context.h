/*
 * node_context.h - what all units of one proctor share on this node: the run's plan and assignment,
 * the scratch directory, and one test harness for each yardstick that was needed so far.
 */
#ifndef PROCTOR_NODE_CONTEXT_H
#define PROCTOR_NODE_CONTEXT_H

#include <stdbool.h>

#include "base/err.h"
#include "measure/harness.h"
#include "measure/timing_lock.h"
#include "proctor/node_yardstick.h"
#include "rundir/run.h"
#include "supervise/other_node_start.h"
#include "supervise/sandbox.h"
#include "supervise/scratch.h"
#include "supervise/supervisor.h"

enum { YARDSTICKS_MOST = 8 };

/* Owns everything in it. */
struct node_context {
    struct run run;
    char *host;                    /* node_key() */
    char *job;                     /* Slurm job or "local-<pid>" */
    struct sandbox_policy sandbox; /* for every compiler and driver */
    struct timing_lock timing_lock;
    uint64_t longest_wait_ns; /* for the timing lock, during one unit of this job */
    int turns; /* units of the run that may be checked or timed here at the same time; 0: all */
    struct supervisor supervisor; /* of all drivers */
    struct other_nodes others;    /* of the job, with a proctor where one was needed */
    struct scratch scratch;       /* for builds and drivers; made when it is first needed */
    bool scratch_made;
    struct node_yardstick yardsticks[YARDSTICKS_MOST];
};

/* -1: the run directory cannot be read. Call node_context_close() in both cases. */
int node_context_open(struct node_context *n, const char *run, struct err *e);
void node_context_close(struct node_context *n);

/* Make the scratch directory, if it does not exist yet. */
int node_context_scratch(struct node_context *n, struct err *e);

/* The yardstick of a tier on this node: its own one, or one on the host if this one cannot run
 * here.
 */
const char *node_context_yardstick(const struct node_context *n, const struct tier *t);

/* What a harness is needed for. */
enum harness_use {
    HARNESS_CHECKS,    /* the yardstick runs only where a check needs it */
    HARNESS_TIMES,     /* it runs */
    HARNESS_CALIBRATED /* and the node's record exists */
};

/* The test harness for units of a tier. Its yardstick is built and started when it is first needed.
 * NULL with e on failure; a later call tries again. The context owns the harness. */
struct harness *node_context_harness(struct node_context *n, const struct tier *t,
                                     enum harness_use use, struct err *e);

/* The yardstick with this name, if it was opened for a harness; else NULL. */
struct node_yardstick *node_context_opened(struct node_context *n, const char *tier);

/* End all processes that drivers have left behind. When a driver ends, the processes that it
 * started and hid from its session become children of the proctor; they must not run beside the
 * next driver or outlive the proctor. The yardsticks of the context go on; n may be NULL. */
void node_context_end_orphans(const struct node_context *n);

#endif
