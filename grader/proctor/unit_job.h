/*
 * unit_job.h - what is to be done for one unit. Input of all of its steps; none of them changes it.
 */
#ifndef PROCTOR_UNIT_JOB_H
#define PROCTOR_UNIT_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "measure/harness.h"
#include "model/assignment.h"
#include "model/result.h"
#include "proctor/node_context.h"
#include "rundir/plan.h"

/* Which part of a unit to run: all of it, or one case again (a replay). */
struct selection {
    int case_index;        /* -1: all */
    struct launch launch;  /* of a replay; {0, 0}: every launch */
    int repeat;            /* of a replay */
    bool given;            /* the case is none of the assignment's: see model/cases.h */
    bool before;           /* the cases before it run in the same process, as they did */
    enum memory_fill fill; /* what malloc() returns */
    enum cause cause;      /* of the failure, as it was found when the unit was graded */
};

/* Everything is borrowed. */
struct unit_job {
    struct node_context *node;
    const struct unit *unit;
    const struct tier *tier;
    const struct selection *selection;
    const char *program;  /* driver */
    const char *sources;  /* directory of the submission's files */
    const char *adapter;  /* of the tier, for a submission that it is to be compiled with; NULL */
    char *const *defines; /* as in struct build_job: of a combination of a sweep; or NULL */
    const char *dir;      /* fresh directory for builds and for the drivers' homes */
    const char *missing;  /* what the node lacks to run what was built; NULL: nothing */
    const struct unit_result *first; /* whose times are taken up again: what was checked then is
                                        not checked again. NULL: none */
    struct harness *harness;         /* of the tier's yardstick; NULL: no driver is needed yet */
};

/* False for a replay, and where the run is not to be timed. */
static inline bool unit_is_timed(const struct unit_job *job)
{
    return job->selection->case_index < 0 && !job->node->run.assignment->only.untimed;
}

/* One launch of a unit. */
struct launch_task {
    int index; /* of the tier's launches; -1: a stress run */
    struct launch launch;
    uint64_t first_run; /* number of its first values; no two launches see the same values */
    int runs;           /* of each correctness case; 0: they are left out */
    bool sizes;         /* also the performance cases, which cannot be timed under this launch */
};

/* One case under one launch. */
struct case_task {
    const struct test_case *test_case;
    uint64_t first_run; /* number of the values of the first run; the next ones follow */
    int runs;
};

#endif
