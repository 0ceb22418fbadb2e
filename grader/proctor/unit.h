/*
 * unit.h - one unit from source to result: build, check every case under every launch shape,
 * time, decide.
 */
#ifndef PROCTOR_UNIT_H
#define PROCTOR_UNIT_H

#include "base/err.h"
#include "measure/node_context.h"
#include "model/result.h"
#include "rundir/plan.h"
#include "supervise/outcome.h"

/* Which part of a unit to run: all of it, or one case again. */
struct selection {
    int case_index;       /* -1: all */
    struct launch launch; /* with case_index: {0, 0} = every launch */
    int repeat;           /* with case_index */
};

/* Run a unit. 0: *r is complete; -1: infrastructure trouble (e), nothing to blame on the student,
 * or nothing yet (d->now). The caller frees *r with unit_result_free() in both cases. */
int unit_run(struct context *b, const struct unit *u, const struct selection *sel,
             struct unexplained_end *d, struct unit_result **r, struct err *e);

#endif
