/*
 * scored_run.h - a run which exists, scored again: what `paragrade report` prints and writes.
 */
#ifndef CMD_SCORED_RUN_H
#define CMD_SCORED_RUN_H

#include "base/err.h"
#include "cmd/command.h"
#include "report/score.h"
#include "report/similar_sources.h"
#include "rundir/results.h"

struct scored_run {
    struct run run;
    struct results results;
    struct scoreboard board;
    bool written;                /* its files are those of these results */
    struct similar_list similar; /* if so: pairs of similar sources, as report_write() found them */
};

/* Open the run that the command line names, score it and write the files of its reports. The run is
 * locked meanwhile: what another process writes at the same time would be lost. Other
 * reports are waited for, for a moment. If a process is working on the run, or if its directory is
 * read-only and the caller does not want the files alone, nothing is written, and stderr says why.
 * A damaged result is named there, too. The caller calls scored_run_close(), but not after an
 * error. */
int scored_run_open(const struct command *c, const char *name, bool files_alone,
                    struct scored_run *x, struct err *e);
void scored_run_close(struct scored_run *x);

#endif
