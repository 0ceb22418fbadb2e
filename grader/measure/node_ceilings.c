#include "measure/node_ceilings.h"

#include "base/strbuf.h"
#include "measure/ceiling.h"

/* Powers of two, and all. */
enum { CEILINGS_MOST = 32 };

/* The number of workers of the next ceiling: 1, powers of two, all cores; 0 after that. */
static int more_workers(int workers, int cores)
{
    if (workers == cores)
        return 0;
    return 2 * workers < cores ? 2 * workers : cores;
}

void node_ceilings_raise(struct node_record *n, const struct ceiling *c, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        if (i == n->ceilings_count) {
            n->ceilings = xrealloc_array(n->ceilings, i + 1, sizeof *n->ceilings);
            n->ceilings[n->ceilings_count++] = c[i];
        } else {
            ceiling_raise(&n->ceilings[i], &c[i]);
        }
    }
    if (!n->ceilings_count)
        return;
    ceilings_align(n->ceilings, n->ceilings_count);
    n->peak_gops = n->ceilings[0].gops;
    n->bandwidth_gbs = n->ceilings[0].gbs;
}

void node_ceilings_sample(struct node_record *n, const struct cores *cores, enum element_type type,
                          bool memory)
{
    struct ceiling now[CEILINGS_MOST];
    unsigned count = 0;
    for (int workers = 1; workers && count < CEILINGS_MOST;
         workers = more_workers(workers, cores->count)) {
        struct cores chosen;
        cores_quietest(cores, workers, &chosen);
        now[count++] = ceiling_sample(chosen.id, chosen.count, type, memory);
    }
    node_ceilings_raise(n, now, count);
}
