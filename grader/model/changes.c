#include "model/changes.h"

#include <math.h>
#include <stdlib.h>

#include "base/stats.h"
#include "base/strbuf.h"

enum { SHARED_LEAST = 3, NIGHTS_A_MONTH = 30, NOISE_NIGHTS = 3 };

/* The mean number of nights to a false alarm of one series grows by a factor of e with each
 * THRESHOLD_STEP. Both constants are from tests/simulate/nights.c: the world with the most false
 * alarms decides. No single night exceeds THRESHOLD_LEAST. */
static const double THRESHOLD_BASE = -5.5, THRESHOLD_STEP = 1.5, THRESHOLD_LEAST = 4.0;

/* The spread of few nights is often too small: it is increased by this share over their number. */
static const double FEW_NIGHTS = 6.0;
/* The standard error of a median of n values is that of a mean times this. */
static const double MEDIAN_COST = 1.2533;
/* The spread of normal values is their median absolute deviation times this. */
static const double FROM_MAD = 1.4826;

double changes_threshold(size_t series, double false_alarms)
{
    const double nights = NIGHTS_A_MONTH * (double)(series ? series : 1) / false_alarms;
    return fmax(THRESHOLD_LEAST, THRESHOLD_BASE + THRESHOLD_STEP * log(nights > 1 ? nights : 1));
}

/* One direction: the sum, and where it left zero. */
struct sum {
    double value;
    size_t start; /* of the nights with a value */
};

struct detector {
    const double *x; /* the nights with a value */
    size_t begin;    /* of the present level */
    double noise;    /* of the level before, until this one has enough nights; NAN: none */
    struct sum up, down;
};

struct level {
    double center, noise;
    double spread; /* the noise as it was seen */
    size_t n;
};

static double spread(const double *x, size_t n, double center, double *work)
{
    for (size_t i = 0; i < n; i++)
        work[i] = fabs(x[i] - center);
    return FROM_MAD * stats_median(work, n);
}

/* The level that night t is compared with. The nights of a change that is being suspected are not
 * part of it. */
static struct level level_at(const struct detector *d, size_t t)
{
    double work[CHANGES_MEMORY];
    size_t end = t;
    if (d->up.value > 0 && d->up.start < end)
        end = d->up.start;
    if (d->down.value > 0 && d->down.start < end)
        end = d->down.start;
    struct level l = {.n = end > d->begin ? end - d->begin : 0};
    if (l.n > CHANGES_MEMORY)
        l.n = CHANGES_MEMORY;
    const double *from = d->x + (end - l.n);
    l.center = stats_median(from, l.n);
    l.spread = spread(from, l.n, l.center, work);
    l.noise = l.n >= CHANGES_LEARN || isnan(d->noise) ? l.spread : d->noise;
    if (l.n >= CHANGES_LEARN)
        l.noise *= 1 + FEW_NIGHTS / (double)l.n;
    if (!(l.noise >= CHANGES_NOISE_LEAST))
        l.noise = CHANGES_NOISE_LEAST;
    return l;
}

static void add(struct sum *s, double z, size_t t)
{
    if (s->value <= 0)
        s->start = t;
    s->value += z - CHANGES_ALLOW;
    if (s->value < 0)
        s->value = 0;
}

/* Fill in how large the change is that a sum has found at t. */
static struct change measure(const struct detector *d, const struct level *before, size_t start,
                             size_t t)
{
    const size_t n = t + 1 - start;
    const double step = stats_median(d->x + start, n) - before->center;
    const double error = 2 * MEDIAN_COST * before->noise *
                         sqrt(1 / (double)n + 1 / (double)(before->n ? before->n : 1));
    return (struct change){start, t, expm1(step), expm1(step - error), expm1(step + error)};
}

/* Take the night t; 1: a change was seen. */
static int take(struct detector *d, size_t t, double threshold, double least, struct change *out)
{
    const struct level l = level_at(d, t);
    if (!l.n || (isnan(d->noise) && l.n < CHANGES_LEARN))
        return 0;
    const double unit = l.noise * sqrt(1 + MEDIAN_COST * MEDIAN_COST / (double)l.n);
    const double z = fmax(-CHANGES_CLIP, fmin(CHANGES_CLIP, (d->x[t] - l.center) / unit));
    add(&d->up, z, t);
    add(&d->down, -z, t);
    if (d->up.value <= threshold && d->down.value <= threshold)
        return 0;
    const size_t start = d->up.value > threshold ? d->up.start : d->down.start;
    *out = measure(d, &l, start, t);
    d->up.value = d->down.value = 0;
    if (fabs(log1p(out->share)) < log1p(least))
        return 0;
    d->noise = l.noise;
    d->begin = start;
    return 1;
}

/* The nights of a series that have a value, and which nights they are. */
struct series {
    double *x;
    size_t *night, n;
};

static struct series series_of(const double *log_time, size_t nights)
{
    struct series s = {xcalloc(nights + 1, sizeof *s.x), xcalloc(nights + 1, sizeof *s.night), 0};
    for (size_t t = 0; t < nights; t++) {
        if (isnan(log_time[t]))
            continue;
        s.x[s.n] = log_time[t];
        s.night[s.n++] = t;
    }
    return s;
}

static void series_free(struct series *s)
{
    free(s->x);
    free(s->night);
}

size_t changes_find(const double *log_time, size_t nights, double threshold, double least,
                    struct change **out)
{
    FREED_BY(series_free) struct series s = series_of(log_time, nights);
    struct detector d = {.x = s.x, .noise = (double)NAN};
    struct change c;
    size_t found = 0;
    *out = NULL;
    for (size_t t = 0; t < s.n; t++) {
        if (take(&d, t, threshold, least, &c)) {
            *out = xrealloc_array(*out, found + 1, sizeof **out);
            c.since = s.night[c.since];
            c.seen = s.night[c.seen];
            (*out)[found++] = c;
        }
    }
    return found;
}

bool changes_now(const double *log_time, size_t nights, double threshold, double least,
                 struct changes_now *out)
{
    FREED_BY(series_free) struct series s = series_of(log_time, nights);
    struct detector d = {.x = s.x, .noise = (double)NAN};
    struct change c;
    for (size_t t = 0; t < s.n; t++)
        take(&d, t, threshold, least, &c);
    if (s.n) {
        const struct level l = level_at(&d, s.n);
        *out = (struct changes_now){.nights = s.n - d.begin,
                                    .level = l.n ? l.center : (double)NAN,
                                    .noise = l.n >= NOISE_NIGHTS ? l.spread : (double)NAN};
        out->last = s.x[s.n - 1] - out->level;
        if (isnan(d.noise) && s.n <= CHANGES_LEARN)
            out->left = CHANGES_LEARN + 1 - s.n;
    }
    return s.n;
}

/* --- what several series share ---------------------------------------------------------------- */

/* The median of the nights with a value. */
static double center_of(const double *x, size_t nights, double *work)
{
    size_t n = 0;
    for (size_t t = 0; t < nights; t++)
        if (!isnan(x[t]))
            work[n++] = x[t];
    return stats_median(work, n);
}

static double *centers(const double *const *row, size_t rows, size_t nights)
{
    double *work = xcalloc(nights + 1, sizeof *work), *c = xcalloc(rows + 1, sizeof *c);
    for (size_t i = 0; i < rows; i++)
        c[i] = center_of(row[i], nights, work);
    free(work);
    return c;
}

/* The median distance of the rows but one from their levels on a night; NAN: fewer than `least`. */
static double shared_at(const double *const *row, const double *center, size_t rows, size_t without,
                        size_t t, size_t least, double *work)
{
    size_t n = 0;
    for (size_t i = 0; i < rows; i++)
        if (i != without && !isnan(row[i][t]))
            work[n++] = row[i][t] - center[i];
    return n >= least ? stats_median(work, n) : (double)NAN;
}

void changes_remove_common(const double *const *row, size_t rows, size_t nights, double **out,
                           double *common)
{
    OWNED double *center = centers(row, rows, nights), *work = xcalloc(rows + 1, sizeof *work);
    for (size_t t = 0; t < nights; t++) {
        for (size_t i = 0; i < rows; i++) {
            const double c = shared_at(row, center, rows, i, t, CHANGES_PEERS, work);
            out[i][t] = isnan(c) ? row[i][t] : row[i][t] - c;
        }
        if (common)
            common[t] = shared_at(row, center, rows, rows, t, CHANGES_PEERS + 1, work);
    }
}

void changes_shared(const double *const *row, size_t rows, size_t nights, double *out)
{
    OWNED double *center = centers(row, rows, nights), *work = xcalloc(rows + 1, sizeof *work);
    for (size_t t = 0; t < nights; t++)
        out[t] = shared_at(row, center, rows, rows, t, SHARED_LEAST, work);
}
