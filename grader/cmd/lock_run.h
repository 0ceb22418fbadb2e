/*
 * lock_run.h - lock a run to work on it, for the commands that execute or change it.
 */
#ifndef CMD_LOCK_RUN_H
#define CMD_LOCK_RUN_H

#include "base/err.h"

/* As run_lock(), but signals are caught (execute/stop.h) from now on, and while another process
 * only writes the reports of the run, this one says so and waits. 1: busy, or told to stop
 * meanwhile. */
int lock_run(const char *dir, struct err *e);

#endif
