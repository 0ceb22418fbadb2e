/*
 * again.h - at the end of a run: which units are timed further, because their times are not
 * confirmed.
 */
#ifndef EXECUTE_AGAIN_H
#define EXECUTE_AGAIN_H

#include "rundir/results.h"

/* Choose units with points for times that are not confirmed, and set their results aside, so that
 * they run again; what was measured so far counts (proctor/unit_again.h). Each unit is chosen once
 * at most, and all together may take a quarter of the time that all units took. Nothing is chosen
 * in a self-test, which promises to be quick, and of what a regrade kept. Returns how many were, or
 * -1. */
int again_choose(const struct run *r, const struct results *res, struct err *e);

#endif
