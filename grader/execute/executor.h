/*
 * executor.h - how units get run. Two implementations; nothing else knows which one is in use.
 *
 * An executor makes the proctor run for each unit and returns when that is over. It reports
 * nothing: results are the files that proctors write. A unit without result.json afterwards met
 * an infrastructure failure.
 */
#ifndef EXECUTE_EXECUTOR_H
#define EXECUTE_EXECUTOR_H

#include <stdbool.h>

#include "base/err.h"
#include "rundir/resume_options.h"
#include "rundir/run.h"

struct executor {
    const char *name;
    /* Run the units with these plan indices. 0: all were tried; 1: stopped early on request
     * (signal, or !wait); -1: cannot go on (e). */
    int (*execute)(const struct run *r, const struct execute_options *o, const int *units,
                   unsigned count, struct err *e);
};

extern const struct executor executor_local;
extern const struct executor executor_slurm;

/* Drive a run to its end: execute what has no result, retry infrastructure failures at most
 * submit.retries times, until every unit has a result or used up its retries. Same return. Retries
 * count from the last grade or resume that a person started. */
int execute_run(const struct run *r, const struct execute_options *o, struct err *e);

/* From now on the first SIGINT, SIGTERM or SIGHUP asks for a tidy stop - it sets execute_stop,
 * which executors poll -, and a second one has its usual effect. To be called before the run is
 * locked: who is told to end a moment later must still take the lock away. */
void execute_catch_signals(void);
extern volatile int execute_stop;

/* The proctor that executors start; the caller frees it. Tests name a fake one in the environment
 * variable PARAGRADE_PROCTOR. */
char *execute_proctor(void);

#endif
