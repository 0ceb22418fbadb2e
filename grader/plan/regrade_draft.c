#include "plan/regrade_draft.h"

#include <string.h>

#include "rundir/lock.h"

int regrade_go_on(const struct regrade *g, struct err *e)
{
    return g->req->stop && *g->req->stop ? 1 : run_lock_kept(g->old->dir, e);
}

int regrade_old_unit(const struct regrade *g, int submission, int tier)
{
    const struct plan *p = g->old->plan;
    const char *name = g->d.a->tiers[tier].name;
    const struct unit_range mine = plan_units_of(p, submission);
    for (unsigned i = mine.first; i < mine.end; i++)
        if (strcmp(g->old->assignment->tiers[p->units[i].tier].name, name) == 0)
            return (int)i;
    return -1;
}

struct inputs regrade_inputs_before(const struct regrade *g)
{
    return (struct inputs){g->old->dir, g->old->assignment, &g->old->cases,
                           plan_reference_id(g->old->plan), g->was};
}

struct inputs regrade_inputs_now(const struct regrade *g)
{
    return (struct inputs){g->d.dir, g->d.a, &g->cases, plan_reference_id(g->d.p), g->is};
}
