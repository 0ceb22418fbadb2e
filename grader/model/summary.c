#include "model/summary.h"

#include <math.h>
#include <stdlib.h>

#include "base/strbuf.h"

static const double levels[] = {SUMMARY_STRICTEST, 1.06, SUMMARY_MILDEST};

enum { LEVELS = sizeof levels / sizeof levels[0] };

/* A sample is never rejected because of its own time: a kernel that is slow in two of three calls
 * is a slow kernel. */
static unsigned mark_at(double level, struct sample *samples, const double *apart, unsigned count)
{
    unsigned accepted = 0;
    for (unsigned i = 0; i < count; i++) {
        samples[i].disturbed = apart[i] > level;
        accepted += !samples[i].disturbed;
    }
    return accepted;
}

struct marking summary_mark(struct sample *samples, const double *apart, unsigned count,
                            unsigned wanted)
{
    struct marking m = {0, 0};
    for (int i = 0; i < LEVELS && (i == 0 || m.accepted < wanted); i++)
        m = (struct marking){mark_at(levels[i], samples, apart, count), levels[i]};
    return m;
}

bool summary_strictest(struct marking m)
{
    return m.level <= levels[0];
}

struct interval summary_floor(const double *x, unsigned count, unsigned wanted)
{
    /* Not the fastest value, because this one depends on how many values there are. */
    const double floor = stats_quantile(x, count, 0.25);
    double *low = xcalloc(count + 1, sizeof *low);
    unsigned n = 0;
    for (int level = 0; level < LEVELS && (level == 0 || n < wanted); level++) {
        n = 0;
        for (unsigned i = 0; i < count; i++)
            if (x[i] <= levels[level] * floor)
                low[n++] = x[i];
    }
    struct interval r = stats_bootstrap_median(low, n, 0.95, 1);
    free(low);
    return r;
}

/* With one process, the interval is that of the median of its samples. With several, each process
 * is one observation, however many samples it has (T. Kalibera, R. Jones: Rigorous Benchmarking in
 * Reasonable Time, ISMM 2013). */
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

/* The samples that count. Of each relative speed: the least and the most that it may be, and the
 * value that is used. */
struct counted {
    double *seconds, *end_to_end, *relative, *least, *most;
    int *process;
    size_t n;
    bool accepted; /* all of them were accepted */
};

static void counted_init(struct counted *c, unsigned count)
{
    *c = (struct counted){.seconds = xcalloc(count + 1, sizeof *c->seconds),
                          .end_to_end = xcalloc(count + 1, sizeof *c->end_to_end),
                          .relative = xcalloc(count + 1, sizeof *c->relative),
                          .least = xcalloc(count + 1, sizeof *c->least),
                          .most = xcalloc(count + 1, sizeof *c->most),
                          .process = xcalloc(count + 1, sizeof *c->process),
                          .accepted = count > 0};
}

static void counted_free(struct counted *c)
{
    free(c->seconds);
    free(c->end_to_end);
    free(c->relative);
    free(c->least);
    free(c->most);
    free(c->process);
}

/* What slows the yardstick may slow the kernel by the same factor, or not at all. So there are two
 * answers: the speed relative to the yardstick beside the sample, and relative to the yardstick's
 * expected time. For an accepted sample the middle is used; its error is at most half of the
 * difference. For a disturbed sample the lower answer is used, so that nobody gains by disturbing
 * the yardstick. */
static void count_sample(const struct sample *x, double expected, bool accepted, struct counted *c)
{
    const double yardstick = x->yardstick, other = isnan(expected) ? yardstick : expected;
    const double least = fmin(yardstick, other) / x->seconds;
    const double most = fmax(yardstick, other) / x->seconds;
    c->seconds[c->n] = x->seconds;
    c->end_to_end[c->n] = x->end_to_end;
    c->process[c->n] = x->process;
    c->least[c->n] = least;
    c->most[c->n] = most;
    c->relative[c->n++] = accepted ? sqrt(least * most) : least;
}

/* The samples of one process: the accepted ones, or all if too few are accepted. A process without
 * any accepted sample counts too. Otherwise a student could choose which processes count, by
 * disturbing the others. */
static void count_process(const struct sample *samples, unsigned count, double expected,
                          struct counted *c)
{
    unsigned accepted = 0;
    double fastest = INFINITY;
    for (unsigned i = 0; i < count; i++) {
        accepted += !samples[i].disturbed;
        fastest = fmin(fastest, samples[i].yardstick);
    }
    const bool only_accepted = accepted >= SUMMARY_FEW;
    for (unsigned i = 0; i < count; i++)
        if (!only_accepted)
            count_sample(&samples[i], isnan(expected) ? fastest : expected, false, c);
        else if (!samples[i].disturbed)
            count_sample(&samples[i], expected, true, c);
    c->accepted = c->accepted && only_accepted;
}

/* The median of the ratios x[i] / over[i]. */
static double middle_ratio(const double *x, const double *over, size_t n)
{
    double *ratio = xcalloc(n + 1, sizeof *ratio);
    for (size_t i = 0; i < n; i++)
        ratio[i] = x[i] / over[i];
    double r = stats_median(ratio, n);
    free(ratio);
    return r;
}

struct summary summary_of(const struct sample *samples, unsigned count, double expected,
                          double precision)
{
    struct counted c;
    counted_init(&c, count);
    for (unsigned i = 0, from = 0; i < count; i++) {
        if (i + 1 < count && samples[i + 1].process == samples[i].process)
            continue;
        count_process(samples + from, i + 1 - from, expected, &c);
        from = i + 1;
    }
    struct interval relative = middle_of(c.relative, c.process, c.n, 2);
    bool copied = c.n && c.end_to_end[0] > 0;
    struct summary s = {.seconds = middle_of(c.seconds, c.process, c.n, 1),
                        .end_to_end =
                            stats_bootstrap_median(c.end_to_end, copied ? c.n : 0, 0.95, 3)};
    s.precise = c.accepted && stats_relative_half_width(relative) <= precision &&
                middle_ratio(c.most, c.least, c.n) <= SUMMARY_STRICTEST;
    relative.low *= middle_ratio(c.least, c.relative, c.n);
    relative.high *= middle_ratio(c.most, c.relative, c.n);
    s.relative = relative;
    counted_free(&c);
    return s;
}
