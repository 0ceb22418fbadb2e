/*
 * bench.h - what all units of one proctor share: the opened run directory and, once the first
 * unit needs it, the test stand with its yardstick.
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

struct bench {
    const char *run; /* directory */
    struct assignment *assignment;
    struct plan *plan;
    struct case_list cases;
    char *host; /* node key */
    char *job;  /* Slurm job or "local-<pid>" */
    struct scratch scratch;
    struct quiet quiet;
    bool ready; /* the fields below are in use */
    struct stand stand;
    char *yard_library;
    char *yard_driver;
    struct limits yard_limits; /* it lives as long as the proctor: its limits are the machine's */
};

/* -1: the run directory cannot be read. bench_close() in both cases. */
int bench_open(struct bench *b, const char *run, struct err *e);
void bench_close(struct bench *b);

/* Build and start the yardstick and, with `calibrated`, see that the node's record exists. Once it
 * has succeeded, later calls do nothing. */
int bench_ready(struct bench *b, bool calibrated, struct err *e);

/* Path of the driver for a launch kind; it need not exist. The caller frees it. */
char *bench_driver(enum launch_kind kind);

#endif
