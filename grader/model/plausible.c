#include "model/plausible.h"

#include <math.h>
#include <stdio.h>

#include "base/known.h"
#include "base/plural.h"

/* A rate above this multiple of the ceiling is flagged. A smaller excess has honest reasons: the
 * ceiling was measured in a slow moment, the processor has a higher clock, or the algorithm needs
 * fewer operations than are counted (one level of Strassen's algorithm saves an eighth). */
#define FLAGGED 1.2

/* A rate above this multiple of the ceiling cannot be true. All reasons above together do not
 * explain it. Products of 16-bit numbers, which some processors compute at twice the rate, do not
 * either. */
#define IMPOSSIBLE 3.0

/* The same where there are units for products of 8-bit tiles, as a multiple of the multiply-add
 * peak. They compute a 32-bit product from ten 8-bit ones. With tensor cores, compute capability
 * 8.0 has 3.2 times the rate of multiply-adds, 9.0 has 6.4 times, and 10.0 has 12.8 times. A core
 * with AMX has 8.8 times. The yardstick may not use these units, so it does not show this. */
#define IMPOSSIBLE_TILES 20.0

/* The ceiling of memory is the rate of a copy, which counts two bytes for each byte copied. The
 * processor moves three if it fetches the old contents of the target first. So reading alone may be
 * faster by this factor. */
#define TRAFFIC_OF_COPY 1.5

/* The fastest trusted kernel counts as well: it may use arithmetic units that the peak does not
 * measure. */
static double arithmetic_ceiling(const struct kernel *k, const struct node_record *n)
{
    double most = is_known(n->peak_gops) ? n->peak_gops : 0;
    for (unsigned i = 0; i < n->calibrations_count; i++) {
        const struct calibration *c = &n->calibrations[i];
        if (is_known(most) && is_known(c->record))
            most = fmax(most, kernel_operations(k, c->shape) / c->record * 1e-9);
    }
    return most;
}

/* Bytes that need not come from memory, because they fit in the caches of the workers and of the
 * core that generated the values. Workers may share caches, but that is not known, so each counts.
 * 0: unknown. */
static double cached_bytes(const struct node_record *n, int workers)
{
    if (n->device)
        return (double)n->l2;
    return n->l3 ? (double)(n->l2 + n->l3) * (workers + 1) : 0;
}

static double memory_rate(const struct kernel *k, const struct node_record *n,
                          const struct case_result *c, struct shape s, int workers)
{
    const double reps = c->samples[0].reps, cached = cached_bytes(n, workers);
    const double bytes = kernel_least_bytes(k, s) * reps - cached;
    return cached > 0 && bytes > 0 ? bytes / (c->estimate.seconds.value * reps) * 1e-9 : 0;
}

/* Keep the worse judgement; of two equal ones, the rate that is further above its ceiling. The
 * limits of arithmetic and of memory are different, so the larger ratio need not be the worse one.
 * impossible: no rate above this can be true. */
static void judge(struct plausibility *p, bool memory, double rate, double ceiling,
                  double impossible)
{
    if (!is_known(rate) || !is_known(ceiling))
        return;
    const enum plausible is = rate > impossible          ? PLAUSIBLE_NO
                              : rate > FLAGGED * ceiling ? PLAUSIBLE_FLAGGED
                                                         : PLAUSIBLE_YES;
    if (p->ceiling > 0 && (is < p->is || (is == p->is && rate / ceiling < p->rate / p->ceiling)))
        return;
    *p = (struct plausibility){is, memory, rate, ceiling};
}

struct plausibility plausible_case(const struct kernel *k, const struct node_record *n,
                                   const struct unit_result *u, const struct case_result *c,
                                   struct shape s)
{
    struct plausibility p = {.is = PLAUSIBLE_YES};
    const bool device = unit_result_computes(u) == ON_DEVICE;
    /* The record is about the device of the yardstick: a unit that ran elsewhere has no record. */
    if (!n || n->device != device || !c->samples_count || !is_known(c->estimate.seconds.value) ||
        c->oversubscribed || k->counts_are_claims)
        return p;
    const int workers = device ? launch_gpus(c->launch) : launch_workers(c->launch);
    const double most = arithmetic_ceiling(k, n) * workers, peak = n->peak_gops;
    judge(&p, false, kernel_operations(k, s) / c->estimate.seconds.value * 1e-9, most,
          fmax(IMPOSSIBLE * most, device || n->tiles ? IMPOSSIBLE_TILES * peak * workers : 0));
    const double copy = n->bandwidth_gbs * (device ? 1 : TRAFFIC_OF_COPY) * workers;
    judge(&p, true, memory_rate(k, n, c, s, workers), copy, IMPOSSIBLE * copy);
    return p;
}

void plausible_text(const struct plausibility *p, const struct node_record *n,
                    const struct case_result *c, char *out, size_t cap)
{
    const char *unit = p->memory ? "GB/s" : "GOP/s";
    const int workers = n->device ? launch_gpus(c->launch) : launch_workers(c->launch);
    char who[64] = "this GPU";
    if (n->device && workers > 1)
        snprintf(who, sizeof who, "%d GPUs of this node", workers);
    else if (!n->device)
        snprintf(who, sizeof who, "%d %s of this node", workers,
                 plural((unsigned)workers, "core", "cores"));
    snprintf(out, cap, "%.*f %s, %.0f%% of the %.*f %s that %s%s reach%s at most", p->rate < 100,
             p->rate, unit, 100 * p->rate / p->ceiling, p->ceiling < 100, p->ceiling, unit,
             p->memory ? "the memory of " : "", who, p->memory || workers == 1 ? "es" : "");
}
