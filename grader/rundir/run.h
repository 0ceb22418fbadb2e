/*
 * run.h - an opened run directory: the plan, the copy of the assignment, and its cases.
 */
#ifndef RUNDIR_RUN_H
#define RUNDIR_RUN_H

#include "base/err.h"
#include "model/assignment.h"
#include "model/cases.h"
#include "rundir/overrides.h"
#include "rundir/plan.h"

struct run {
    char *dir; /* absolute */
    struct assignment *assignment;
    struct plan *plan;
    struct case_list cases;
    struct overrides overrides;
};

/* Open the run in `dir`. After an error, nothing has to be closed. */
int run_open(const char *dir, struct run *r, struct err *e);
/* Open it again, because somebody may have changed it before this process locked it. After an
 * error, it is closed. */
int run_reopen(struct run *r, struct err *e);
void run_close(struct run *r);

#endif
