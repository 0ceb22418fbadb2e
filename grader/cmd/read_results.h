/*
 * read_results.h - the results of a run, for commands that do not drive it.
 */
#ifndef CMD_READ_RESULTS_H
#define CMD_READ_RESULTS_H

#include "base/err.h"
#include "cmd/command.h"
#include "rundir/results.h"

/* As results_load(); a damaged file is named on stderr. The caller frees *out with results_free(),
 * also after -1: a file cannot be opened or read. */
int read_results(const struct command *c, const struct run *r, struct results *out, struct err *e);

#endif
