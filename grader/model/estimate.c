#include "model/estimate.h"

#include <math.h>
#include <stdlib.h>

#include "base/strbuf.h"

/* A start takes at most this share of the budget, so that there can be enough of them. */
static const double START_SHARE = 0.25;

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Rule 1. Sorts the runs. */
static double time_of_start(double *run, size_t n)
{
    qsort(run, n, sizeof *run, by_value);
    return run[n >= ESTIMATE_RUNS / 2 ? 1 : 0];
}

/* Rule 2: the second fastest start, and what the starts disagree by: the logarithm of its time over
 * the fastest one, and of the third fastest one over the fastest. */
struct best {
    double seconds, gap, spread;
    size_t starts;
};

static struct best best_of(double *start, size_t n)
{
    qsort(start, n, sizeof *start, by_value);
    if (!n)
        return (struct best){NAN, INFINITY, INFINITY, 0};
    return n < 2 ? (struct best){start[0], INFINITY, INFINITY, n}
                 : (struct best){start[1], log(start[1] / start[0]),
                                 log(start[n < 3 ? 1 : 2] / start[0]), n};
}

/* A time of a sample. */
typedef double time_of_sample(const struct sample *s);

static double unit_time(const struct sample *s)
{
    return s->unit;
}

static double end_to_end_time(const struct sample *s)
{
    return s->end_to_end;
}

static double yardstick_time(const struct sample *s)
{
    return s->yardstick;
}

static double alone_time(const struct sample *s)
{
    return s->alone;
}

/* One time in the start that begins at the sample `from`, by rule 1; of the yardstick, by rule 3.
 * Unknown times do not count. run: room for all samples. INFINITY: there is none. *to: the sample
 * at which the next start begins. */
static double start_at(const struct sample *s, size_t n, size_t from, time_of_sample *time,
                       double *run, size_t *to)
{
    size_t runs = 0;
    for (*to = from; *to < n && s[*to].start == s[from].start; ++*to)
        if (time(&s[*to]) > 0)
            run[runs++] = time(&s[*to]);
    const double seconds = runs ? time_of_start(run, runs) : INFINITY;
    return time == yardstick_time && s[from].alone > 0 ? fmin(seconds, s[from].alone) : seconds;
}

/* One time of all starts, by rule 2. */
static struct best starts_of(const struct sample *s, size_t n, time_of_sample *time)
{
    double *run = xcalloc(2 * n + 1, sizeof *run), *start = run + n;
    size_t starts = 0;
    for (size_t from = 0, to; from < n; from = to) {
        const double seconds = start_at(s, n, from, time, run, &to);
        if (isfinite(seconds))
            start[starts++] = seconds;
    }
    const struct best b = best_of(start, starts);
    free(run);
    return b;
}

/* What the yardstick showed of the node in the n-th least disturbed start, on all cores that it was
 * seen on; in the last one, if there are fewer. NAN: it was not seen. */
static double shown_in(const struct sample *s, size_t count, size_t n)
{
    double *run = xcalloc(2 * count + 1, sizeof *run), *shown = run + count;
    size_t starts = 0;
    for (size_t from = 0, to; from < count; from = to) {
        const double seconds = start_at(s, count, from, yardstick_time, run, &to);
        if (isfinite(seconds))
            shown[starts++] = fmax(seconds, s[from].other);
    }
    qsort(shown, starts, sizeof *shown, by_value);
    const double x = starts ? shown[(n < starts ? n : starts) - 1] : (double)NAN;
    free(run);
    return x;
}

/* The median run of the unit over its time, which is above the median where starts have few runs.
 */
static double typical_of(const struct sample *s, size_t n, double seconds)
{
    OWNED double *x = xcalloc(n + 1, sizeof *x);
    size_t runs = 0;
    for (size_t i = 0; i < n; i++)
        if (s[i].unit > 0)
            x[runs++] = s[i].unit;
    return runs ? fmax(stats_median(x, runs) / seconds, 1) : NAN;
}

static struct interval around(double value, double half, size_t n, bool confirmed)
{
    return (struct interval){value, value * exp(-half), value * exp(half), n, !confirmed};
}

/* How many undisturbed starts there must be. */
static size_t least_starts(double seconds)
{
    return seconds > ESTIMATE_LONG ? 2 : ESTIMATE_STARTS;
}

struct estimate estimate_of(const struct sample *s, size_t n, double record, double precision)
{
    const struct best unit = starts_of(s, n, unit_time), yard = starts_of(s, n, yardstick_time),
                      copies = starts_of(s, n, end_to_end_time);
    const double most = (1 + ESTIMATE_GATE) * (isnan(record) ? yard.seconds : record);
    const size_t least = least_starts(unit.seconds);
    struct estimate e = {.starts = (unsigned)unit.starts,
                         .differ = isfinite(unit.spread) ? expm1(unit.spread) : (double)NAN,
                         .yardstick = yard.seconds,
                         .typical = typical_of(s, n, unit.seconds),
                         .agreed = unit.gap <= log1p(precision),
                         .undisturbed = shown_in(s, n, least) <= most};
    const double excess = fmax(log(shown_in(s, n, 2) / most), 0);
    const double half =
        ESTIMATE_FACTOR * sqrt(unit.spread * unit.spread + yard.spread * yard.spread +
                               excess * excess + precision * precision / 4);
    e.confirmed = e.agreed && e.undisturbed && unit.starts >= least;
    e.seconds = around(unit.seconds, half, unit.starts ? n : 0, e.confirmed);
    e.relative = around(yard.seconds / unit.seconds, half, unit.starts ? n : 0, e.confirmed);
    e.end_to_end = around(copies.seconds, hypot(half, ESTIMATE_FACTOR * copies.spread),
                          copies.starts ? n : 0, e.confirmed);
    return e;
}

double estimate_alone(const struct sample *s, size_t n)
{
    return starts_of(s, n, alone_time).seconds;
}

bool estimate_wants_start(const struct estimate_progress *p)
{
    const struct estimate e = estimate_of(p->sample, p->count, p->record, p->precision);
    return e.starts < least_starts(e.seconds.value) ||
           (!e.confirmed && p->spent + p->last <= p->budget);
}

unsigned estimate_runs(double budget, double run)
{
    const double runs = run > 0 ? START_SHARE * budget / run : 1;
    return runs >= ESTIMATE_RUNS ? ESTIMATE_RUNS : runs < 1 ? 1 : (unsigned)runs;
}
