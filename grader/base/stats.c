#include "base/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"

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
    OWNED double *copy = xcalloc(n, sizeof *copy);
    memcpy(copy, x, n * sizeof *copy);
    qsort(copy, n, sizeof *copy, by_value);
    return sorted_quantile(copy, n, q);
}

double stats_median(const double *x, size_t n)
{
    return stats_quantile(x, n, 0.5);
}

struct interval stats_unknown(void)
{
    return (struct interval){NAN, NAN, NAN, 0, false};
}

struct interval stats_scaled(struct interval i, double factor)
{
    return (struct interval){i.value * factor, i.low * factor, i.high * factor, i.n, i.unconfirmed};
}

struct interval stats_over(struct interval a, struct interval b)
{
    const double value = a.value / b.value;
    const double lower = hypot(log(a.value / a.low), log(b.high / b.value));
    const double higher = hypot(log(a.high / a.value), log(b.value / b.low));
    return (struct interval){value, value * exp(-lower), value * exp(higher), a.n < b.n ? a.n : b.n,
                             a.unconfirmed || b.unconfirmed};
}

struct interval stats_times(struct interval a, struct interval b)
{
    return stats_over(a, (struct interval){1 / b.value, 1 / b.high, 1 / b.low, b.n, b.unconfirmed});
}

double stats_relative_half_width(struct interval i)
{
    if (i.n < 2 || !(fabs(i.value) > 0))
        return INFINITY;
    return (i.high - i.low) / (2 * fabs(i.value));
}
