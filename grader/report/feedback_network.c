/* What the network does to times. */
#include <stdlib.h>

#include "base/strbuf.h"
#include "report/feedback.h"
#include "report/text.h"

/* The fastest starts over nodes disagree. Where the same ranks of one node agree, it is neither the
 * program nor this node. */
static bool differs_over_nodes(const struct unit_result *u, const struct case_result *c)
{
    const struct case_result *here =
        c->launch.nodes > 1 ? score_find(u, c->case_index, launch_on_node(c->launch)) : NULL;
    return here && score_timed(c) && c->estimate.starts > 1 && !c->estimate.agreed &&
           here->estimate.agreed;
}

char *feedback_network(const struct run *r, unsigned unit, const struct unit_result *u)
{
    const struct tier *t = &r->assignment->tiers[r->plan->units[unit].tier];
    const struct case_result *worst = NULL;
    char launch[TEXT_MOST], size[SHAPE_TEXT];
    for (unsigned i = 0; i < u->cases_count; i++)
        if (differs_over_nodes(u, &u->cases[i]) && u->cases[i].case_index < (int)r->cases.count &&
            (!worst || u->cases[i].estimate.differ > worst->estimate.differ))
            worst = &u->cases[i];
    if (!worst)
        return xstrdup("");
    text_launch(t, worst->launch, launch);
    shape_format(r->cases.item[worst->case_index].shape, size);
    return xasprintf("starts differ by %.0f %% (%s, size %s), on one node they agree: the network "
                     "or placement",
                     100 * worst->estimate.differ, launch, size);
}
