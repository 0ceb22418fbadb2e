#include "rundir/find_unit.h"

#include <string.h>

#include "base/similar.h"
#include "base/strbuf.h"
#include "rundir/find_submission.h"

/* The only one beside the reference; -1: there are several, or none. */
static int only_submission(const struct plan *p)
{
    int found = -1;
    for (unsigned i = 0; i < p->submissions_count; i++) {
        if (p->submissions[i].is_reference)
            continue;
        if (found >= 0)
            return -1;
        found = (int)i;
    }
    return found;
}

static int no_such_unit(const struct run *r, const char *text, struct err *e)
{
    const int tier = assignment_tier(r->assignment, text);
    FREED_BY(strbuf_free) struct strbuf names = STRBUF_INIT;
    char hint[SIMILAR_HINT];
    for (unsigned i = 0; i < r->assignment->tiers_count; i++)
        strbuf_addf(&names, "%s%s", i ? ", " : "", r->assignment->tiers[i].name);
    similar_hint(text, names.s, hint);
    if (tier >= 0 && only_submission(r->plan) >= 0)
        err_input(e, "%s was a run without the tier '%s'", r->plan->run_id, text);
    else if (tier >= 0)
        err_input(e, "whose '%s'? The run has several submissions: give SUBMISSION.%s", text, text);
    else
        err_input(e, "the run has no unit '%s'%s (units are SUBMISSION.TIER; the tiers are %s)",
                  text, hint, names.s);
    return -1;
}

int find_unit(const struct run *r, const char *text, struct err *e)
{
    struct err ignored = ERR_INIT;
    const char *dot = strrchr(text, '.');
    int unit = plan_unit(r->plan, text);
    int submission = only_submission(r->plan);
    const int tier = assignment_tier(r->assignment, dot ? dot + 1 : text);
    if (unit < 0 && dot) {
        OWNED char *whose = xasprintf("%.*s", (int)(dot - text), text);
        submission = find_submission(r->plan, whose, &ignored);
    }
    if (unit < 0 && submission >= 0 && tier >= 0)
        unit = plan_unit_of(r->plan, submission, tier);
    return unit >= 0 ? unit : no_such_unit(r, text, e);
}
