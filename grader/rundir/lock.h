/*
 * lock.h - only one front end at a time executes a run: it holds the lock of the run directory.
 */
#ifndef RUNDIR_LOCK_H
#define RUNDIR_LOCK_H

#include <stdbool.h>

#include "base/err.h"

/* Take the lock of the run in the directory `run`; the lock of a dead process is taken over. 0:
 * this process holds it (perhaps since an earlier call); 1: another live process does, and e names
 * its host and number; -1: error. */
int run_lock(const char *run, struct err *e);
/* Remove the lock, if this process holds it. */
void run_unlock(const char *run);
/* Sign of life of the holder. To be called every few seconds or more often; it acts when due. 1:
 * another process has taken the run over, because this one was thought dead; else 0. */
int run_lock_refresh(const char *run);
/* The same, as an error that says so. */
int run_lock_keep(const char *run, struct err *e);
/* Is it still ours? An error, if not. Acts in any case, unlike the others. */
int run_lock_check(const char *run, struct err *e);
/* Does a live process hold the lock? */
bool run_is_locked(const char *run);

#endif
