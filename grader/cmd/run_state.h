/* run_state.h - how far a run is, as far as its files tell. */
#ifndef CMD_RUN_STATE_H
#define CMD_RUN_STATE_H

#include <stdbool.h>
#include <time.h>

#include "rundir/run.h"

/* Has every unit a result, or used up its attempts? */
bool run_is_finished(const struct run *r);

/* When its reports were written; 0: they are not there. */
time_t run_reported(const struct run *r);

/* Has it a plan, and so is a run? */
bool run_is_one(const char *dir);

#endif
