/*
 * dry_run.h - what a run would ask Slurm for, and how long it would take. Nothing is submitted.
 */
#ifndef SLURM_DRY_RUN_H
#define SLURM_DRY_RUN_H

#include <stdio.h>

#include "execute/executor.h"
#include "execute/forecast.h"

/* Print units, sbatch lines, times and node-hours of a run that was planned in r->dir and would lie
 * in `shown`; earlier: what such units took before. -1 with e: the installation is incomplete. */
int slurm_dry_run(const struct run *r, const struct execute_options *o, const char *shown,
                  const struct forecast *earlier, FILE *out, struct err *e);

#endif
