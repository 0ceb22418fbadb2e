/*
 * bench.h - what all units of one proctor share: the opened run directory and, once the first
 * unit needs them, the test stands: one per yardstick.
 */
#ifndef PROCTOR_BENCH_H
#define PROCTOR_BENCH_H

#include <stdbool.h>

#include "base/err.h"
#include "model/assignment.h"
#include "model/cases.h"
#include "model/plan.h"
#include "proctor/quiet.h"
#include "proctor/scratch.h"
#include "proctor/stand.h"

enum { MOST_STANDS = 4 };

/* A yardstick at work. */
struct bench_stand {
    const char *yardstick; /* tier of the reference */
    struct stand stand;
    char *library;
    char *driver;
    struct limits limits; /* it lives as long as the proctor: its limits are the machine's */
};

struct bench {
    const char *run; /* directory */
    struct assignment *assignment;
    struct plan *plan;
    struct case_list cases;
    char *host; /* node key */
    char *job;  /* Slurm job or "local-<pid>" */
    struct scratch scratch;
    struct quiet quiet;
    bool scratch_made;
    struct bench_stand stands[MOST_STANDS];
    unsigned stand_count;
};

/* -1: the run directory cannot be read. bench_close() in both cases. */
int bench_open(struct bench *b, const char *run, struct err *e);
void bench_close(struct bench *b);

/* The yardstick of a tier on this node: its own, or the assignment's where that cannot run. */
const char *bench_yardstick(const struct bench *b, const struct tier *t);

/* A directory for builds, made at the first call. */
int bench_scratch(struct bench *b, struct err *e);

/* The stand that units of a tier are tried on: its yardstick is built and started and, with
 * `calibrated`, the node's record exists. Once it has succeeded for a yardstick, later calls only
 * return it. NULL with e on failure. */
struct stand *bench_stand(struct bench *b, const struct tier *t, bool calibrated, struct err *e);

/* Whatever a driver started and hid from its session becomes a child of the proctor's: nothing of
 * it may run beside the next driver or outlive us. Yardsticks of the bench stay; NULL: nothing
 * does. */
void bench_end_orphans(const struct bench *b);

/* Path of the driver for a launch kind; it need not exist. The caller frees it. */
char *bench_driver(enum launch_kind kind);

#endif
