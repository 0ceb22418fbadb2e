/*
 * From an assignment to that of a run. The order matters: a profile replaces the sizes of sweeps,
 * too, and a part is one of the cases and launches that the profile leaves.
 */
#include "model/assignment.h"

#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "model/field.h"
#include "model/sweep.h"

static bool profile_has_size(const struct profile *p, struct shape size)
{
    for (unsigned i = 0; i < p->sizes_count; i++)
        if (shape_equal(p->sizes[i], size))
            return true;
    return false;
}

/* Does the profile replace the sizes by a list that lacks one of them? */
static bool profile_leaves_out(const struct assignment *a, const struct profile *p)
{
    for (unsigned i = 0; p->sizes_count && i < a->tiers_count; i++)
        for (unsigned k = 0; k < tier_size_count(a, &a->tiers[i]); k++)
            if (!profile_has_size(p, tier_size(a, &a->tiers[i], k)))
                return true;
    return false;
}

static struct shape *shapes_copy(const struct shape *from, unsigned count)
{
    struct shape *to = xcalloc(count, sizeof *to);
    memcpy(to, from, count * sizeof *to);
    return to;
}

static const struct profile *find_profile(const struct assignment *a, const char *name,
                                          struct err *e)
{
    FREED_BY(strbuf_free) struct strbuf known = STRBUF_INIT;
    const struct profile *p = NULL;
    for (unsigned i = 0; i < a->profiles_count; i++) {
        if (strcmp(a->profiles[i].name, name) == 0)
            p = &a->profiles[i];
        strbuf_addf(&known, "%s%s", i ? ", " : "", a->profiles[i].name);
    }
    if (!p)
        err_input(e, "the assignment %s has no profile '%s'; it has: %s", a->name, name,
                  known.len ? known.s : "none");
    return p;
}

/* Of the assignment, and of all its tiers. */
static void replace_sizes(struct assignment *a, const struct profile *p)
{
    free(a->performance.sizes);
    a->performance.sizes = shapes_copy(p->sizes, p->sizes_count);
    a->performance.sizes_count = p->sizes_count;
    for (unsigned i = 0; i < a->tiers_count; i++) {
        free(a->tiers[i].sizes);
        a->tiers[i].sizes = NULL;
        a->tiers[i].sizes_count = 0;
        a->tiers[i].weak_count = 0; /* sizes of the profile are few and small */
    }
}

static int apply_profile(struct assignment *a, const char *name, struct err *e)
{
    const struct profile *p = find_profile(a, name, e);
    if (!p)
        return -1;
    a->performance.sizes_left_out = profile_leaves_out(a, p);
    for (unsigned i = 0; i < p->values_count; i++) {
        const struct profile_value *v = &p->values[i];
        field_set(v->field, (char *)a + v->offset, &v->value);
    }
    if (p->sizes_count)
        replace_sizes(a, p);
    return 0;
}

int assignment_prepare(struct assignment *a, bool sweep, const char *profile,
                       const struct subset *only, struct err *e)
{
    if (sweep)
        sweep_take_over(a);
    if (profile && apply_profile(a, profile, e) != 0)
        return -1;
    return only ? subset_apply(a, only, e) : 0;
}
