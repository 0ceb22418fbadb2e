#include "model/weak.h"

#include <limits.h>

/* The first dimension that is not fixed; -1: all are. */
static int growing(const struct assignment *a, const struct tier *t)
{
    for (int d = 0; d < t->kernel->dims; d++)
        if (!a->fixed[d])
            return d;
    return -1;
}

int weak_grow(const struct assignment *a, const struct tier *t, struct shape one, int workers,
              struct shape *out, struct err *e)
{
    const int d = growing(a, t);
    char size[SHAPE_TEXT];
    shape_format(one, size);
    if (d < 0 || one.structure.family == STRUCTURE_FILE)
        return err_input(e, "the size %s cannot grow: all of its dimensions are given", size);
    if (one.dim[d] > INT_MAX / workers)
        return err_input(e, "the size %s is too large for %d workers", size, workers);
    *out = one;
    out->dim[d] *= workers;
    if (kernel_complete(t->kernel, out, e) != 0 || kernel_takes(t->kernel, *out, e) != 0)
        return -1;
    shape_format(*out, size);
    return shape_allowed(t->shapes, *out)
               ? 0
               : err_input(e, "the tier does not take %s, the size for %d workers", size, workers);
}

struct shape weak_size(const struct assignment *a, const struct tier *t, unsigned i,
                       struct launch l)
{
    struct shape s = t->weak[i];
    struct err ignored = ERR_INIT;
    weak_grow(a, t, t->weak[i], launch_workers(l), &s, &ignored);
    return s;
}

bool weak_has_for(const struct assignment *a, const struct tier *t, struct shape s, struct launch l)
{
    for (unsigned i = 0; i < t->weak_count && !t->idle; i++)
        if (shape_equal(weak_size(a, t, i, l), s))
            return true;
    return false;
}

bool weak_has(const struct assignment *a, const struct tier *t, struct shape s)
{
    for (unsigned i = 0; i < tier_launch_count(t); i++)
        if (weak_has_for(a, t, s, tier_launch(t, i)))
            return true;
    return false;
}

unsigned weak_timed_count(const struct assignment *a, const struct tier *t)
{
    return (tier_size_count(a, t) + (t->idle ? 0 : t->weak_count)) * tier_launch_count(t);
}
