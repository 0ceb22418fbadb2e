#include "measure/node_ceilings.h"

#include "base/strbuf.h"
#include "measure/ceiling.h"

/* The number of workers of the next ceiling: 1, powers of two, all cores; 0 after that. */
static int more_workers(int workers, int cores)
{
    if (workers == cores)
        return 0;
    return 2 * workers < cores ? 2 * workers : cores;
}

void node_ceilings_sample(struct node_record *n, const struct cores *cores, enum element_type type,
                          bool memory)
{
    unsigned i = 0;
    for (int workers = 1; workers; workers = more_workers(workers, cores->count), i++) {
        struct cores chosen;
        cores_quietest(cores, workers, &chosen);
        const struct ceiling now = ceiling_sample(chosen.id, chosen.count, type, memory);
        if (i == n->ceilings_count) {
            n->ceilings = xrealloc_array(n->ceilings, i + 1, sizeof *n->ceilings);
            n->ceilings[n->ceilings_count++] = now;
        } else {
            ceiling_raise(&n->ceilings[i], &now);
        }
    }
    ceilings_align(n->ceilings, n->ceilings_count);
    n->peak_gops = n->ceilings[0].gops;
    n->bandwidth_gbs = n->ceilings[0].gbs;
}
