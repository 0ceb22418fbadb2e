/*
 * `versus` of an assignment file: one pair of tiers, or a list of pairs.
 *
 *     versus: [openmp, reference:blas]
 *     versus: [[cuda, reference:cublas], [tiled, naive]]
 */
#include <string.h>

#include "base/strbuf.h"
#include "model/assignment_fields.h"
#include "model/assignment_read.h"

#define OF_REFERENCE "reference:"

static int read_side(const struct yaml_at *pair, unsigned i, const struct assignment *a,
                     bool *reference)
{
    struct yaml_at at = yaml_item(pair, i);
    OWNED char *text = yaml_string(&at, "");
    const size_t prefix = strlen(OF_REFERENCE);
    *reference = strncmp(text, OF_REFERENCE, prefix) == 0;
    const char *name = *reference ? text + prefix : text;
    const int tier = assignment_tier(a, name);
    if (tier < 0)
        no_such_tier(&at, a, name);
    else if (*reference && i == 0)
        yaml_error(&at, "the first one is a tier of a submission, without reference:");
    else if (i == 0 && a->tiers[tier].reference_only)
        yaml_error(&at, "students hand in nothing for '%s': write it second, as " OF_REFERENCE "%s",
                   name, name);
    else if (!*reference && a->tiers[tier].reference_only)
        yaml_error(&at, "only the reference has the tier '%s': write " OF_REFERENCE "%s", name,
                   name);
    return tier;
}

static bool have_common_size(const struct assignment *a, const struct versus *v)
{
    const struct tier *t = &a->tiers[v->tier], *o = &a->tiers[v->other];
    for (unsigned i = 0; i < tier_size_count(a, t); i++)
        for (unsigned j = 0; j < tier_size_count(a, o); j++)
            if (shape_equal(tier_size(a, t, i), tier_size(a, o, j)))
                return true;
    return false;
}

static bool have_common_launch(const struct assignment *a, const struct versus *v)
{
    const struct tier *t = &a->tiers[v->tier], *o = &a->tiers[v->other];
    for (unsigned i = 0; i < tier_launch_count(t); i++)
        for (unsigned j = 0; j < tier_launch_count(o); j++)
            if (launch_equal(tier_launch(t, i), tier_launch(o, j)))
                return true;
    return false;
}

static void read_pair(const struct yaml_at *at, struct assignment *a, struct versus *v)
{
    bool reference;
    if (yaml_count(at) != 2)
        yaml_error(at, "a pair has two tiers: [openmp, reference:blas]");
    if (at->file->failed)
        return;
    v->tier = read_side(at, 0, a, &reference);
    v->other = read_side(at, 1, a, &v->reference);
    if (at->file->failed)
        return;
    if (v->tier == v->other && !v->reference)
        yaml_error(at, "a tier cannot be compared with itself");
    else if (!have_common_size(a, v))
        yaml_error(at, "the tiers '%s' and '%s' are measured at different sizes",
                   a->tiers[v->tier].name, a->tiers[v->other].name);
    else if (versus_same_launch(a, v) && !have_common_launch(a, v))
        yaml_error(at, "the tiers '%s' and '%s' have no launch (ranks and threads) in common",
                   a->tiers[v->tier].name, a->tiers[v->other].name);
    for (const struct versus *o = a->versus; o < v; o++)
        if (o->tier == v->tier && o->other == v->other && o->reference == v->reference)
            yaml_error(at, "the pair is given twice");
}

void read_versus(const struct yaml_at *at, struct assignment *a)
{
    const unsigned n = yaml_count(at);
    if (!n || at->file->failed)
        return;
    const bool single = yaml_item(at, 0).node->type == YAML_SCALAR_NODE;
    a->versus_count = single ? 1 : n;
    a->versus = xcalloc(a->versus_count, sizeof *a->versus);
    for (unsigned i = 0; i < a->versus_count && !at->file->failed; i++) {
        struct yaml_at item = yaml_item(at, i);
        read_pair(single ? at : &item, a, &a->versus[i]);
    }
}
