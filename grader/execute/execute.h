/*
 * execute.h - from what is left to do in a run to its end: which units run, and how often.
 */
#ifndef EXECUTE_EXECUTE_H
#define EXECUTE_EXECUTE_H

#include "base/err.h"
#include "execute/executor.h"
#include "rundir/resume_options.h"
#include "rundir/run.h"

/* Execute the units without a result, and those that met an infrastructure failure again, at most
 * submit.retries times, until every unit has a result or has used up its retries. Retries count
 * from the last grade or resume that a person started.
 *
 * The caller holds the run's lock. Returns what struct executor does. */
int execute_run(const struct run *r, const struct executor *x, const struct execute_options *o,
                struct err *e);

/* What of the options is stored in the run; the strings stay the caller's. */
struct resume_options execute_stored_options(const struct execute_options *o);

#endif
