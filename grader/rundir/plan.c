#include "rundir/plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/strbuf.h"

int plan_reference(const struct plan *p)
{
    for (unsigned i = 0; i < p->submissions_count; i++)
        if (p->submissions[i].is_reference)
            return (int)i;
    return -1;
}

const char *plan_reference_id(const struct plan *p)
{
    const int reference = plan_reference(p);
    return reference < 0 ? "reference" : p->submissions[reference].id;
}

/* Index of the first unit of this or a later submission. */
static unsigned first_unit_from(const struct plan *p, int submission)
{
    unsigned from = 0, end = p->units_count;
    while (from < end) {
        const unsigned middle = from + (end - from) / 2;
        if (p->units[middle].submission < submission)
            from = middle + 1;
        else
            end = middle;
    }
    return from;
}

struct unit_range plan_units_of(const struct plan *p, int submission)
{
    if (submission < 0)
        return (struct unit_range){0, p->units_count};
    return (struct unit_range){first_unit_from(p, submission), first_unit_from(p, submission + 1)};
}

int plan_unit_of(const struct plan *p, int submission, int tier)
{
    const struct unit_range mine = plan_units_of(p, submission);
    for (unsigned i = mine.first; i < mine.end && submission >= 0; i++)
        if (p->units[i].tier == tier)
            return (int)i;
    return -1;
}

unsigned plan_presets(const struct plan *p)
{
    unsigned n = 0;
    for (unsigned i = 0; i < p->units_count; i++)
        n += p->units[i].preset;
    return n;
}

bool plan_has_tier(const struct plan *p, int tier)
{
    for (unsigned i = 0; i < p->units_count; i++)
        if (p->units[i].tier == tier)
            return true;
    return false;
}

void plan_revise(struct plan *p, const char *change)
{
    char now[40];
    clock_utc(now, sizeof now);
    p->revision++;
    free(p->revised);
    p->revised = xasprintf("%s of %s", change, now);
}

void plan_free(struct plan *p)
{
    if (!p)
        return;
    for (unsigned i = 0; i < p->submissions_count; i++) {
        free(p->submissions[i].id);
        free(p->submissions[i].name);
        free(p->submissions[i].path);
        texts_free(p->submissions[i].roster_fields, p->roster_columns_count);
    }
    texts_free(p->roster_columns, p->roster_columns_count);
    for (unsigned i = 0; i < p->units_count; i++) {
        free(p->units[i].id);
        free(p->units[i].source);
        free(p->units[i].message);
        free(p->units[i].tools);
    }
    free(p->submissions);
    free(p->units);
    free(p->run_id);
    free(p->created);
    free(p->revised);
    free(p->assignment_path);
    free(p->overrides_path);
    free(p->profile);
    free(p);
}

int plan_unit_after(const struct plan *p, int before, const char *id)
{
    const unsigned next = (unsigned)(before + 1);
    for (unsigned i = next; i < p->units_count; i++)
        if (strcmp(p->units[i].id, id) == 0)
            return (int)i;
    return plan_unit(p, id);
}

int plan_unit(const struct plan *p, const char *id)
{
    for (unsigned i = 0; i < p->units_count; i++)
        if (strcmp(p->units[i].id, id) == 0)
            return (int)i;
    return -1;
}
