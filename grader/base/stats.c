#include "base/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/strbuf.h"

enum { RESAMPLES = 1000 };

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The q-quantile of sorted data, interpolated linearly between order statistics. */
static double sorted_quantile(const double *x, size_t n, double q)
{
    double at = q * (double)(n - 1);
    size_t i = (size_t)at;
    return i + 1 < n ? x[i] + (at - (double)i) * (x[i + 1] - x[i]) : x[n - 1];
}

double stats_quantile(const double *x, size_t n, double q)
{
    if (!n)
        return NAN;
    double *copy = xcalloc(n, sizeof *copy);
    memcpy(copy, x, n * sizeof *copy);
    qsort(copy, n, sizeof *copy, by_value);
    double v = sorted_quantile(copy, n, q);
    free(copy);
    return v;
}

double stats_median(const double *x, size_t n)
{
    return stats_quantile(x, n, 0.5);
}

struct interval stats_bootstrap_median(const double *x, size_t n, double level, uint64_t seed)
{
    struct interval r = {NAN, NAN, NAN, n};
    if (!n)
        return r;
    r.median = stats_median(x, n);
    if (n < 3) {
        r.low = stats_quantile(x, n, 0);
        r.high = stats_quantile(x, n, 1);
        return r;
    }
    double *draw = xcalloc(n, sizeof *draw), *medians = xcalloc(RESAMPLES, sizeof *medians);
    uint64_t counter = 0;
    for (int b = 0; b < RESAMPLES; b++) {
        for (size_t i = 0; i < n; i++)
            draw[i] = x[rng_at(seed, counter++) % n];
        qsort(draw, n, sizeof *draw, by_value);
        medians[b] = sorted_quantile(draw, n, 0.5);
    }
    qsort(medians, RESAMPLES, sizeof *medians, by_value);
    r.low = sorted_quantile(medians, RESAMPLES, (1 - level) / 2);
    r.high = sorted_quantile(medians, RESAMPLES, (1 + level) / 2);
    free(draw);
    free(medians);
    return r;
}

/* Of the two-sided 95 % interval, for degrees of freedom from one; above fifteen a little too wide.
 * NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2. */
double stats_student(size_t freedom)
{
    static const double t[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306,
                               2.262,  2.228, 2.201, 2.179, 2.160, 2.145, 2.131};
    size_t most = sizeof t / sizeof t[0];
    return t[(freedom < most ? freedom : most) - 1];
}

struct interval stats_scaled(struct interval i, double factor)
{
    return (struct interval){i.median * factor, i.low * factor, i.high * factor, i.n};
}

struct interval stats_over(struct interval a, struct interval b)
{
    const double median = a.median / b.median;
    const double lower = hypot(log(a.median / a.low), log(b.high / b.median));
    const double higher = hypot(log(a.high / a.median), log(b.median / b.low));
    return (struct interval){median, median * exp(-lower), median * exp(higher),
                             a.n < b.n ? a.n : b.n};
}

struct interval stats_times(struct interval a, struct interval b)
{
    return stats_over(a, (struct interval){1 / b.median, 1 / b.high, 1 / b.low, b.n});
}

double stats_relative_half_width(struct interval i)
{
    if (i.n < 2 || !(fabs(i.median) > 0))
        return INFINITY;
    return (i.high - i.low) / (2 * fabs(i.median));
}

bool stats_is_rough(struct interval i)
{
    return !(stats_relative_half_width(i) <= INTERVAL_ROUGH);
}
