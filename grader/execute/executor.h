/*
 * executor.h - how units get run. There are two implementations, execute/local.h and
 * slurm/executor.h. Only the caller of execute_run(), who chooses one, knows them.
 *
 * An executor makes a proctor run for each unit and returns when that is over. It reports nothing:
 * results are the files that proctors write. A unit without a result afterwards met an
 * infrastructure failure.
 */
#ifndef EXECUTE_EXECUTOR_H
#define EXECUTE_EXECUTOR_H

#include <stdbool.h>

#include "base/err.h"
#include "model/site.h"
#include "rundir/run.h"

/* How the units of a run are executed, as the command line says. Strings belong to the caller. */
struct execute_options {
    bool slurm; /* by the Slurm executor */
    bool quiet;
    bool wait; /* false: slurm: submit, leave the rest to the report job; local: do not wait for
                  other runs on this machine */
    bool first_failure;     /* local: end with the first unit that fails */
    bool from_job;          /* slurm: this is the report job */
    int jobs;               /* local: proctors at a time */
    bool slurm_words_given; /* one of Slurm's words comes from this command line */
    struct site site;       /* every setting of the site, in all layers */
    struct site given;      /* of these, the ones from a command line */
};

struct executor {
    /* Run the units with these plan indices. 0: all were tried; 1: stopped early on request
     * (signal, or !wait); 2: stopped at the first failure; -1: cannot go on (e). */
    int (*execute)(const struct run *r, const struct execute_options *o, const int *units,
                   unsigned count, struct err *e);
};

#endif
