/*
 * derive.h - what the samples of a run say: times, speeds, intervals. Files keep samples only.
 */
#ifndef RUNDIR_DERIVE_H
#define RUNDIR_DERIVE_H

#include "rundir/results.h"

/* Fill in what the samples of all results and node records say. The record of the yardstick at a
 * size, on a node, is the best time in all of them: whenever it was alone. */
void results_derive(const struct run *r, struct results *res);

#endif
