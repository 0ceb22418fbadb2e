/*
 * lock.h - only one front end at a time executes a run: it holds the lock of the run directory.
 */
#ifndef RUNDIR_LOCK_H
#define RUNDIR_LOCK_H

#include <stdbool.h>

#include "base/err.h"

/* Take the lock of the run in the directory `run`; the lock of a dead process is taken over. 0:
 * this process holds it (perhaps since an earlier call), and gives signs of life until it unlocks
 * the run; 1: another live process does, and e names its host and number; 2: the same, but that one
 * only writes reports and is over soon; -1: error. A process holds one lock at a time. */
int run_lock(const char *run, struct err *e);
/* The same, to write reports and nothing else. */
int run_lock_for_reports(const char *run, struct err *e);
/* Remove the lock, if this process holds it. */
void run_unlock(const char *run);
/* Is it still ours, as the last sign of life has shown? An error, if another process has taken it
 * over because this one was thought dead. Costs nothing. */
int run_lock_kept(const char *run, struct err *e);
/* The same, looking now. To be called before files are written that others may have written. */
int run_lock_check(const char *run, struct err *e);
/* Does a live process hold the lock? */
bool run_is_locked(const char *run);

#endif
