#include "model/sweep.h"

#include <stdlib.h>

#include "base/strbuf.h"

void sweep_take_over(struct assignment *a)
{
    for (unsigned i = 0; i < a->tiers_count; i++)
        a->tiers[i].idle = true;
    a->tiers = xrealloc_array(a->tiers, a->tiers_count + a->sweeps_count + 1, sizeof *a->tiers);
    for (unsigned i = 0; i < a->sweeps_count; i++)
        a->tiers[a->tiers_count++] = a->sweeps[i];
    free(a->sweeps);
    a->sweeps = NULL;
    a->sweeps_count = 0;
}

unsigned sweep_points(const struct tier *t)
{
    unsigned n = 1;
    for (unsigned i = 0; i < t->axes_count; i++)
        n *= t->axes[i].count;
    return n;
}

int sweep_value(const struct tier *t, unsigned point, unsigned axis)
{
    for (unsigned i = t->axes_count - 1; i > axis; i--)
        point /= t->axes[i].count;
    return t->axes[axis].values[point % t->axes[axis].count];
}

char *sweep_point_text(const struct tier *t, unsigned point)
{
    struct strbuf sb = STRBUF_INIT;
    for (unsigned i = 0; i < t->axes_count; i++)
        strbuf_addf(&sb, "%s%s=%d", i ? " " : "", t->axes[i].macro, sweep_value(t, point, i));
    return strbuf_detach(&sb);
}

char **sweep_defines(const struct tier *t, unsigned point)
{
    char **d = xcalloc(t->axes_count + 1, sizeof *d);
    for (unsigned i = 0; i < t->axes_count; i++)
        d[i] = xasprintf("-D%s=%d", t->axes[i].macro, sweep_value(t, point, i));
    return d;
}
