/*
 * nightly_jobs.h - `paragrade nightly` through Slurm: on which nodes, and one job on each.
 */
#ifndef CMD_NIGHTLY_JOBS_H
#define CMD_NIGHTLY_JOBS_H

#include "base/err.h"
#include "base/strbuf.h"
#include "cmd/options.h"
#include "history/store.h"

/* Can the options be combined? */
int nightly_jobs_check(const struct options *o, struct err *e);

/* Grade the reference on the nodes; each run is night/NODE. Nodes on which a job started and left
 * no run are described in *failures, one a line. 0, also when told to stop; or -1 with e. */
int nightly_jobs_run(const struct options *o, const char *assignment, const char *night,
                     struct store *s, struct strbuf *failures, struct err *e);

#endif
