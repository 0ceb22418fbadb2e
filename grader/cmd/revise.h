/*
 * revise.h - what the commands share that change a run which exists: `paragrade regrade` and
 * `paragrade rescore`.
 */
#ifndef CMD_REVISE_H
#define CMD_REVISE_H

#include <stdbool.h>

#include "base/err.h"
#include "rundir/run.h"

/* Open and lock the run that the command line names. Refused: self-tests and sweeps, which have no
 * grades; a run that another process drives; one with jobs in Slurm. The caller calls
 * revise_close(). */
int revise_open(const char *name, struct run *r, struct err *e);
void revise_close(struct run *r);
/* Are jobs of the run in Slurm's queue? They would write results of the old sources into a run that
 * `changes`, or do units that run here as well. Without an answer, only the former fails. */
int revise_check_jobs(const struct run *r, bool changes, struct err *e);
/* The user stopped the command before it put the changed run in its place: say so. Returns
 * EXIT_UNFINISHED. */
int revise_stopped(const char *dir);

#endif
