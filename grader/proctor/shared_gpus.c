#include "proctor/shared_gpus.h"

#include <limits.h>

#include "base/plural.h"
#include "base/strbuf.h"
#include "supervise/visible_gpu.h"

static int gpus_on_node(struct launch l)
{
    return launch_gpus(launch_on_node(l));
}

bool launch_shares_gpus(const struct tier *t, struct launch l)
{
    return launch_kind_has(t->kind, KIND_RANKS) && launch_kind_has(t->kind, KIND_DEVICE) &&
           gpus_on_node(l) > visible_gpus_count();
}

char *tier_lacks_gpus(const struct tier *t)
{
    int least = INT_MAX;
    for (unsigned i = 0; i < tier_launch_count(t); i++) {
        const struct launch l = tier_launch(t, i);
        if (!launch_shares_gpus(t, l))
            return NULL;
        least = gpus_on_node(l) < least ? gpus_on_node(l) : least;
    }
    const int here = visible_gpus_count();
    return xasprintf("its smallest launch has %d GPUs, and this node has %d %s", least, here,
                     plural((unsigned)here, "GPU", "GPUs"));
}
