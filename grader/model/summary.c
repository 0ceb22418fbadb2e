#include "model/summary.h"

#include <math.h>
#include <stdlib.h>

#include "base/strbuf.h"

static const double levels[] = {SUMMARY_CALM, 1.06, SUMMARY_RESTLESS};

enum { LEVELS = sizeof levels / sizeof levels[0] };

/* Not the fastest sample: the more of them were taken, the faster that one is. A kernel whose time
 * depends on the pages that it got would be the faster, the longer it was looked at. */
static double floor_at(double level, const struct sample *samples, const double *beside,
                       unsigned count, int process)
{
    double *x = xcalloc(count + 1, sizeof *x);
    size_t n = 0;
    for (unsigned i = 0; i < count; i++)
        if (samples[i].process == process && beside[i] <= level)
            x[n++] = samples[i].seconds;
    double floor = stats_quantile(x, n, 0.25);
    free(x);
    return floor;
}

static unsigned mark_at(double level, struct sample *samples, const double *beside, unsigned count)
{
    unsigned calm = 0;
    double floor = 0;
    for (unsigned i = 0; i < count; i++) {
        if (!i || samples[i].process != samples[i - 1].process)
            floor = floor_at(level, samples, beside, count, samples[i].process);
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

/* Up to which a time of a node that was never calm counts. */
static double fastest_quarter(const double *x, unsigned count)
{
    double few = count > SUMMARY_FEW ? (SUMMARY_FEW - 0.5) / (count - 1) : 1;
    return stats_quantile(x, count, fmax(few, 0.25));
}

/* The yardstick's time where it and the kernel are not slowed together: apart from the kernel's. */
static double yardstick_apart(const double *yardstick, unsigned count)
{
    double *fast = xcalloc(count + 1, sizeof *fast), limit = fastest_quarter(yardstick, count);
    size_t n = 0;
    for (unsigned i = 0; i < count; i++)
        if (yardstick[i] <= limit)
            fast[n++] = yardstick[i];
    double median = stats_median(fast, n);
    free(fast);
    return median;
}

/* One process, and that is how sure one can be of the median of its samples. Several, and each has
 * said what it took: one observation, however many samples it consists of (T. Kalibera, R. Jones:
 * Rigorous Benchmarking in Reasonable Time, ISMM 2013). */
static struct interval middle_of(const double *x, const int *process, size_t n, uint64_t seed)
{
    double median[PROCESSES_MOST];
    size_t processes = 0;
    for (size_t i = 0, from = 0; i < n; i++) {
        if (i + 1 < n && process[i + 1] == process[i])
            continue;
        median[processes++] = stats_median(x + from, i + 1 - from);
        from = i + 1;
    }
    struct interval r = processes > 1 ? stats_geometric_mean(median, processes)
                                      : stats_bootstrap_median(x, n, 0.95, seed);
    r.n = n;
    return r;
}

/* What slows the yardstick by a factor may slow the kernel as much, or not at all: the sample's
 * ratio is that to the yardstick beside it or that to the yardstick's pace, and in the middle it is
 * wrong by half of that at most. *apart_by: the square root of the factor. */
static struct interval relative_of(const double *seconds, const double *yardstick,
                                   const int *process, size_t n, double pace, double *apart_by)
{
    double *middle = xcalloc(n + 1, sizeof *middle), *factor = xcalloc(n + 1, sizeof *factor);
    for (size_t i = 0; i < n; i++) {
        double other = isnan(pace) ? yardstick[i] : pace;
        middle[i] = sqrt(yardstick[i] * other) / seconds[i];
        factor[i] = fmax(yardstick[i], other) / fmin(yardstick[i], other);
    }
    struct interval r = middle_of(middle, process, n, 2);
    *apart_by = sqrt(stats_median(factor, n));
    free(middle);
    free(factor);
    return r;
}

/* Those of the samples that count. */
struct counted {
    double *seconds, *yardstick, *end_to_end;
    int *process;
    size_t n;
    bool calm; /* nothing disturbed them */
};

/* Of one process: the calm samples, or the fastest where there are too few of these. (A process
 * without calm samples is still one that took what it took: who could make the grader leave it out
 * could choose among his processes.) */
static void count_process(const struct sample *samples, unsigned count, struct counted *c)
{
    double *x = xcalloc(count + 1, sizeof *x), *y = xcalloc(count + 1, sizeof *y);
    unsigned calm = 0;
    for (unsigned i = 0; i < count; i++) {
        x[i] = samples[i].seconds;
        y[i] = samples[i].yardstick;
        calm += !samples[i].disturbed;
    }
    const bool only_calm = calm >= SUMMARY_FEW;
    const double limit = only_calm ? INFINITY : fastest_quarter(x, count);
    const double apart = only_calm ? (double)NAN : yardstick_apart(y, count);
    for (unsigned i = 0; i < count; i++) {
        if ((only_calm && samples[i].disturbed) || samples[i].seconds > limit)
            continue;
        c->seconds[c->n] = samples[i].seconds;
        c->end_to_end[c->n] = samples[i].end_to_end;
        c->process[c->n] = samples[i].process;
        c->yardstick[c->n++] = only_calm ? samples[i].yardstick : apart;
    }
    c->calm = c->calm && only_calm;
    free(x);
    free(y);
}

struct summary summary_of(const struct sample *samples, unsigned count, double pace,
                          double precision)
{
    struct counted c = {.seconds = xcalloc(count + 1, sizeof *c.seconds),
                        .yardstick = xcalloc(count + 1, sizeof *c.yardstick),
                        .end_to_end = xcalloc(count + 1, sizeof *c.end_to_end),
                        .process = xcalloc(count + 1, sizeof *c.process),
                        .calm = count > 0};
    for (unsigned i = 0, from = 0; i < count; i++) {
        if (i + 1 < count && samples[i + 1].process == samples[i].process)
            continue;
        count_process(samples + from, i + 1 - from, &c);
        from = i + 1;
    }
    double apart_by;
    struct interval relative = relative_of(c.seconds, c.yardstick, c.process, c.n, pace, &apart_by);
    bool copied = c.n && c.end_to_end[0] > 0;
    struct summary s = {.seconds = middle_of(c.seconds, c.process, c.n, 1),
                        .end_to_end =
                            stats_bootstrap_median(c.end_to_end, copied ? c.n : 0, 0.95, 3)};
    s.precise = c.calm && stats_relative_half_width(relative) <= precision &&
                apart_by * apart_by <= SUMMARY_CALM;
    relative.low /= apart_by;
    relative.high *= apart_by;
    s.relative = relative;
    free(c.seconds);
    free(c.yardstick);
    free(c.end_to_end);
    free(c.process);
    return s;
}

double summary_undisturbed(const struct sample *samples, const double *values, unsigned count)
{
    double *x = xcalloc(count + 1, sizeof *x);
    size_t n = 0;
    for (unsigned i = 0; i < count; i++)
        if (!samples[i].disturbed && !isnan(values[i]))
            x[n++] = values[i];
    double median = n ? stats_median(x, n) : (double)NAN;
    free(x);
    return median;
}
