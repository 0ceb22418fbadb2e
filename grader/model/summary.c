#include "model/summary.h"

#include <math.h>
#include <stdlib.h>

#include "base/strbuf.h"

static const double levels[] = {1.03, 1.06, 1.1};

enum { LEVELS = sizeof levels / sizeof levels[0] };

static unsigned mark_at(double level, struct sample *samples, const double *beside, unsigned count)
{
    double floor = INFINITY;
    unsigned calm = 0;
    for (unsigned i = 0; i < count; i++)
        if (beside[i] <= level)
            floor = fmin(floor, samples[i].seconds);
    for (unsigned i = 0; i < count; i++) {
        samples[i].disturbed = beside[i] > level || samples[i].seconds > level * floor;
        calm += !samples[i].disturbed;
    }
    return calm;
}

struct calm summary_mark(struct sample *samples, const double *beside, unsigned count,
                         unsigned wanted)
{
    struct calm c = {0, 0};
    for (int i = 0; i < LEVELS && (i == 0 || c.samples < wanted); i++)
        c = (struct calm){mark_at(levels[i], samples, beside, count), levels[i]};
    return c;
}

bool summary_calmest(struct calm c)
{
    return c.level <= levels[0];
}

struct interval summary_floor(const double *x, unsigned count, unsigned wanted)
{
    struct sample *as = xcalloc(count + 1, sizeof *as);
    double *calm = xcalloc(count + 1, sizeof *calm), *low = xcalloc(count + 1, sizeof *low);
    unsigned n = 0;
    for (unsigned i = 0; i < count; i++) {
        as[i].seconds = x[i];
        calm[i] = 1;
    }
    summary_mark(as, calm, count, wanted);
    for (unsigned i = 0; i < count; i++)
        if (!as[i].disturbed)
            low[n++] = x[i];
    struct interval floor = stats_bootstrap_median(low, n, 0.95, 1);
    free(as);
    free(calm);
    free(low);
    return floor;
}

/* Seconds up to which a sample of a node that was never calm counts. */
static double fastest_quarter(const struct sample *samples, unsigned count)
{
    double *all = xcalloc(count + 1, sizeof *all);
    for (unsigned i = 0; i < count; i++)
        all[i] = samples[i].seconds;
    double few = count > SUMMARY_FEW ? (SUMMARY_FEW - 0.5) / (count - 1) : 1;
    double limit = stats_quantile(all, count, fmax(few, 0.25));
    free(all);
    return limit;
}

struct summary summary_of(const struct sample *samples, unsigned count, double pace,
                          double precision)
{
    double *seconds = xcalloc(count, sizeof *seconds);
    double *relative = xcalloc(count, sizeof *relative);
    double *end_to_end = xcalloc(count, sizeof *end_to_end);
    unsigned calm = 0;
    size_t n = 0;
    for (unsigned i = 0; i < count; i++)
        calm += !samples[i].disturbed;
    bool only_calm = calm >= SUMMARY_FEW;
    double limit = only_calm ? INFINITY : fastest_quarter(samples, count);
    for (unsigned i = 0; i < count; i++) {
        if ((only_calm && samples[i].disturbed) || samples[i].seconds > limit)
            continue;
        seconds[n] = samples[i].seconds;
        end_to_end[n] = samples[i].end_to_end;
        /* A maximum with NAN is the other number. */
        relative[n++] = fmax(samples[i].yardstick, pace) / samples[i].seconds;
    }
    bool copied = n && end_to_end[0] > 0;
    struct summary s = {.seconds = stats_bootstrap_median(seconds, n, 0.95, 1),
                        .relative = stats_bootstrap_median(relative, n, 0.95, 2),
                        .end_to_end = stats_bootstrap_median(end_to_end, copied ? n : 0, 0.95, 3)};
    s.precise = only_calm && stats_relative_half_width(s.relative) <= precision;
    free(seconds);
    free(relative);
    free(end_to_end);
    return s;
}
