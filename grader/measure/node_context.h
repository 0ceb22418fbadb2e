/*
 * node_context.h - what all units of one proctor share: the opened run directory and, once the
 * first unit needs them, the test stands: one per yardstick.
 */
#ifndef MEASURE_NODE_CONTEXT_H
#define MEASURE_NODE_CONTEXT_H

#include <stdbool.h>

#include "base/err.h"
#include "measure/harness.h"
#include "measure/timing_lock.h"
#include "rundir/run.h"
#include "supervise/sandbox.h"
#include "supervise/scratch.h"

enum { MOST_HARNESSES = 4 };

/* A yardstick at work. */
struct node_harness {
    const char *yardstick; /* tier of the reference */
    struct harness harness;
    char *library;
    char *program;
    struct limits limits; /* it lives as long as the proctor: its limits are the machine's */
};

struct context {
    struct run opened;
    const char *run; /* its directory; this and the next three belong to `opened` */
    const struct assignment *assignment;
    const struct plan *plan;
    struct case_list cases;
    char *host;                    /* node key */
    char *job;                     /* Slurm job or "local-<pid>" */
    struct sandbox_policy sandbox; /* for every compiler and driver */
    struct scratch scratch;
    struct timing_lock timing_lock;
    bool scratch_made;
    struct node_harness harnesses[MOST_HARNESSES];
    unsigned harness_count;
};

/* -1: the run directory cannot be read. node_context_close() in both cases. */
int node_context_open(struct context *b, const char *run, struct err *e);
void node_context_close(struct context *b);

/* The yardstick of a tier on this node: its own, or the assignment's where that cannot run. */
const char *node_context_yardstick(const struct context *b, const struct tier *t);

/* A directory for builds, made at the first call. */
int node_context_scratch(struct context *b, struct err *e);

/* The stand that units of a tier are tried on: its yardstick is built and started and, with
 * `calibrated`, the node's record exists. Once it has succeeded for a yardstick, later calls only
 * return it. NULL with e on failure. */
struct harness *node_harness(struct context *b, const struct tier *t, bool calibrated,
                             struct err *e);

/* Whatever a driver started and hid from its session becomes a child of the proctor's: nothing of
 * it may run beside the next driver or outlive us. Yardsticks of the bench stay; NULL: nothing
 * does. */
void node_context_end_orphans(const struct context *b);

#endif
