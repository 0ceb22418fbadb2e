/*
 * draft.h - a run directory while its plan is made: the steps that a new run (planner.c) and a
 * regraded one (regrade.c) have in common.
 */
#ifndef PLAN_DRAFT_H
#define PLAN_DRAFT_H

#include <stdbool.h>

#include "base/names.h"
#include "model/assignment.h"
#include "plan/planner.h"
#include "plan/source_choice.h"
#include "plan/submitted.h"
#include "rundir/plan.h"

struct draft {
    const struct plan_request *req;
    const struct assignment *a;
    const char *dir; /* the run directory while it is being made */
    struct plan *p;
    struct names ids;    /* of the submissions so far */
    bool *tier_wanted;   /* per tier */
    char **tier_skipped; /* per tier: reason or NULL */
    struct submitted times;
};

/* Fill tier_wanted and tier_skipped. */
int draft_choose_tiers(struct draft *d, struct err *e);
/* Copy the assignment, its adapters and its files of matrices. */
int draft_copy_assignment(const struct draft *d, struct err *e);
/* Can the reference serve as baseline and yardstick? */
int draft_check_reference(const struct draft *d, struct err *e);

/* Has a submission, or the reference, a unit in this tier? */
bool draft_is_unit(const struct draft *d, unsigned t, bool reference);

/* Append a submission without units and return its index. id NULL: it is made from the name. */
int draft_add_submission(struct draft *d, const char *id, const char *name, const char *path,
                         bool reference);
/* Append a unit; the plan takes c.message over. */
void draft_add_unit(struct draft *d, int submission, int tier, struct choice c);
/* Copy the sources of a submission and make its units. path NULL: nothing was handed in. The same
 * if others have made a link in its place. */
int draft_take_sources(struct draft *d, int submission, const char *path, struct err *e);
/* Both. path NULL: the student is on the roster and has handed in nothing; `where` is the directory
 * that was looked for. */
int draft_submission(struct draft *d, const char *name, const char *path, const char *where,
                     bool reference, struct err *e);

/* Remove the units of the reference with which nothing will be compared: the students' units of the
 * tier do not run. */
void draft_drop_idle_reference(struct draft *d);
/* Free what the draft owns: names, tiers, the plan. */
void draft_release(struct draft *d);

#endif
