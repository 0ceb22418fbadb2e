#include "report/roofline.h"

#include <math.h>

static int workers(const struct speed *s, const struct node_record *n)
{
    return n->device ? launch_gpus(s->launch) : launch_workers(s->launch);
}

const struct bandwidths *roofline_bandwidths(const struct run *r, const struct results *res,
                                             const struct speed *s)
{
    return unit_result_computes(res->unit[s->unit]) == ON_DEVICE ? &r->assignment->device_bandwidth
                                                                 : &r->assignment->bandwidth;
}

const struct node_record *roofline_node(const struct results *res, const struct unit_result *u)
{
    const struct node_record *n = results_node(res, u);
    return n && n->device == (unit_result_computes(u) == ON_DEVICE) ? n : NULL;
}

struct roofline roofline_speed(const struct run *r, const struct results *res,
                               const struct speed *s, double gbs)
{
    const struct kernel *k = r->assignment->tiers[r->plan->units[s->unit].tier].kernel;
    const struct node_record *n = roofline_node(res, res->unit[s->unit]);
    double peak = (double)NAN, bandwidth = gbs;
    if (n)
        peak = launch_peak(n, s->launch);
    if (gbs == BANDWIDTH_MEASURED)
        bandwidth = n ? launch_bandwidth(n, s->launch) : (double)NAN;
    return roofline_of(kernel_operations(k, s->shape), kernel_bytes(k, s->shape), s->seconds.value,
                       peak, bandwidth);
}

const struct speed *roofline_pick(const struct run *r, const struct scoreboard *b, int unit)
{
    const struct kernel *k = r->assignment->tiers[r->plan->units[unit].tier].kernel;
    const struct speed *best = NULL;
    const struct speeds of = score_speeds(b, unit);
    for (const struct speed *s = of.first; s < of.end; s++) {
        const double more = best ? kernel_work(k, s->shape) - kernel_work(k, best->shape) : 0;
        if (!best || more > 0 || (more == 0 && s->seconds.value < best->seconds.value))
            best = s;
    }
    return best;
}

/* Bytes that the caches of the cores or of the device hold; 0: unknown. */
static double caches(const struct node_record *n, int cores)
{
    return n->device ? (double)n->l2 : n->l3 ? (double)n->l2 * cores + (double)n->l3 : 0;
}

void roofline_text(const struct run *r, const struct results *res, const struct speed *s,
                   char out[ROOFLINE_TEXT])
{
    const struct node_record *n = roofline_node(res, res->unit[s->unit]);
    out[0] = '\0';
    if (!n)
        return;
    const struct roofline line = roofline_speed(r, res, s, roofline_bandwidths(r, res, s)->gbs[0]);
    const struct roofline_place place = {.device = n->device,
                                         .workers = workers(s, n),
                                         .cache = caches(n, workers(s, n)),
                                         .efficiency = s->efficiency.value,
                                         .rough = s->seconds.unconfirmed};
    roofline_advice(&line, &place, out);
}
