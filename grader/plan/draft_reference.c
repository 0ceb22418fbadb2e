/* Which units the reference has in a run. */
#include <stdlib.h>

#include "base/strbuf.h"
#include "plan/draft.h"

/* Are there points for a fraction of the reference's speed? Then the reference must run, too. */
static bool has_fraction(const struct draft *d, unsigned t)
{
    const struct tier_points *p = &d->a->tiers[t].points;
    return p->metric == METRIC_FRACTION && p->speed_count > 0 && !subset_is_part(&d->a->only);
}

/* Is a tier that is wanted compared with this one of the reference? */
static bool is_compared(const struct draft *d, unsigned t)
{
    for (unsigned i = 0; i < d->a->versus_count; i++) {
        const struct versus *v = &d->a->versus[i];
        if (v->reference && v->other == (int)t && d->tier_wanted[v->tier])
            return !subset_is_part(&d->a->only);
    }
    return false;
}

bool draft_is_unit(const struct draft *d, unsigned t, bool reference)
{
    if (!reference)
        return d->tier_wanted[t] && !d->a->tiers[t].reference_only;
    return (d->tier_wanted[t] && (d->req->with_reference || has_fraction(d, t))) ||
           is_compared(d, t);
}

/* Does a unit of a student in the tier run? */
static bool runs_in_tier(const struct plan *p, int tier)
{
    for (unsigned i = 0; i < p->units_count; i++)
        if (p->units[i].tier == tier && !p->units[i].preset &&
            !p->submissions[p->units[i].submission].is_reference)
            return true;
    return false;
}

void draft_drop_idle_reference(struct draft *d)
{
    struct plan *p = d->p;
    OWNED bool *idle = xcalloc(p->units_count + 1, sizeof *idle);
    unsigned kept = 0;
    for (unsigned i = 0; i < p->units_count; i++)
        idle[i] = p->submissions[p->units[i].submission].is_reference &&
                  !runs_in_tier(p, p->units[i].tier) && !is_compared(d, (unsigned)p->units[i].tier);
    for (unsigned i = 0; i < p->units_count; i++) {
        struct unit *u = &p->units[i];
        if (idle[i]) {
            free(u->id);
            free(u->source);
            free(u->message);
            continue;
        }
        u->index = (int)kept;
        p->units[kept++] = *u;
    }
    p->units_count = kept;
}
