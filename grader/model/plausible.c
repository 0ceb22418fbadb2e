#include "model/plausible.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Over the ceiling by more than this: a person should look. Less may be a ceiling that was measured
 * in a slow minute, a higher clock of the processor, or an algorithm that needs fewer operations
 * than are counted (one level of Strassen's: an eighth). */
#define DOUBTFUL 1.2

/* By more than this the time cannot be true. All of the above together do not make it, nor do
 * products made of 16-bit ones, which some processors compute at twice the rate. */
#define IMPOSSIBLE 3.0

/* On a device that is over its multiply-add peak. Tensor cores make a 32-bit product of ten 8-bit
 * ones; with them, compute capability 8.0 comes to 3.2 times the rate of multiply-adds, 9.0 to 6.4
 * and 10.0 to 12.8. A yardstick that does not use them says nothing of that. */
#define IMPOSSIBLE_DEVICE 20.0

/* The ceiling of memory is the rate of a copy, two bytes counted for each that is copied; where the
 * old contents of the target are fetched first, three have been moved. Reading alone may be so much
 * faster. */
#define TRAFFIC_OF_COPY 1.5

static bool known(double x)
{
    return isfinite(x) && x > 0;
}

/* The fastest trusted kernel counts as well: it may use units that the peak knows nothing of. */
static double arithmetic_ceiling(const struct kernel *k, const struct node_record *n)
{
    double most = known(n->peak_gops) ? n->peak_gops : 0;
    for (unsigned i = 0; i < n->calibrations_count; i++) {
        const struct calibration *c = &n->calibrations[i];
        if (known(most) && known(c->yardstick.median))
            most = fmax(most, k->operations(c->shape) / c->yardstick.median * 1e-9);
    }
    return most;
}

/* What need not come from memory: all that the caches of the workers hold, and of the core that
 * made the values. Which of them share one is not known, so each counts. 0: unknown. */
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
    const double bytes = k->bytes(s) * reps - cached;
    return cached > 0 && bytes > 0 ? bytes / (c->seconds.median * reps) * 1e-9 : 0;
}

/* Keep what is further above its ceiling. impossible: the rate that cannot be. */
static void judge(struct plausibility *p, bool memory, double rate, double ceiling,
                  double impossible)
{
    if (!known(rate) || !known(ceiling) ||
        (p->ceiling > 0 && rate / ceiling < p->rate / p->ceiling))
        return;
    p->memory = memory;
    p->rate = rate;
    p->ceiling = ceiling;
    p->is = rate > impossible           ? PLAUSIBLE_NO
            : rate > DOUBTFUL * ceiling ? PLAUSIBLE_DOUBTFUL
                                        : PLAUSIBLE_YES;
}

struct plausibility plausible_case(const struct kernel *k, const struct node_record *n,
                                   const struct unit_result *u, const struct case_result *c,
                                   struct shape s)
{
    struct plausibility p = {.is = PLAUSIBLE_YES};
    const bool device = u->device[0] && strcmp(u->device, "host") != 0;
    /* A device that was timed beside a yardstick on the host is not what the record is about. */
    if (!n || n->device != device || !c->samples_count || !known(c->seconds.median) ||
        c->oversubscribed)
        return p;
    const int workers = device ? 1 : c->launch.ranks * c->launch.threads;
    const double most = arithmetic_ceiling(k, n) * workers, peak = n->peak_gops;
    judge(&p, false, k->operations(s) / c->seconds.median * 1e-9, most,
          fmax(IMPOSSIBLE * most, device ? IMPOSSIBLE_DEVICE * peak : 0));
    const double copy = n->bandwidth_gbs * (device ? 1 : TRAFFIC_OF_COPY) * workers;
    judge(&p, true, memory_rate(k, n, c, s, workers), copy, IMPOSSIBLE * copy);
    return p;
}

void plausible_text(const struct plausibility *p, const struct node_record *n,
                    const struct case_result *c, char *out, size_t cap)
{
    const char *unit = p->memory ? "GB/s" : "GOP/s";
    const int workers = c->launch.ranks * c->launch.threads;
    char who[64] = "this GPU";
    if (!n->device)
        snprintf(who, sizeof who, "%d core%s of this node", workers, workers == 1 ? "" : "s");
    snprintf(out, cap, "%.*f %s, %.0f%% of the %.*f %s that %s%s reach%s at most", p->rate < 100,
             p->rate, unit, 100 * p->rate / p->ceiling, p->ceiling < 100, p->ceiling, unit,
             p->memory ? "the memory of " : "", who,
             p->memory || n->device || workers == 1 ? "es" : "");
}
