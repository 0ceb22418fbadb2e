/*
 * unit_job.h - what is to be done for one unit. Input of all of its steps; none of them changes it.
 */
#ifndef PROCTOR_UNIT_JOB_H
#define PROCTOR_UNIT_JOB_H

#include "model/assignment.h"
#include "proctor/node_context.h"
#include "rundir/plan.h"

/* Which part of a unit to run: all of it, or one case again (a replay). */
struct selection {
    int case_index;       /* -1: all */
    struct launch launch; /* of a replay; {0, 0}: every launch */
    int repeat;           /* of a replay */
};

struct unit_job {
    struct node_context *node;
    const struct unit *unit;
    const struct tier *tier;
    const struct selection *selection;
    const char *program; /* driver */
    const char *sources; /* directory of the submission's files */
    const char *dir;     /* fresh directory for builds and for the drivers' homes */
};

#endif
