#include "model/summary.h"

#include <math.h>
#include <stdlib.h>

#include "base/strbuf.h"

/* The best block tells: a program that works in parallel does so in some blocks even on a busy
 * node, and one that does not never does. */
static void find_cores(const struct block *b, size_t n, double expected, struct summary *s)
{
    const double present = estimate_present(b, n, expected);
    s->cores = s->busiest = (double)NAN;
    for (size_t i = 0; i < n; i++) {
        if (!block_accepted(&b[i], expected, present) || isnan(b[i].cores) ||
            b[i].cores <= s->cores)
            continue;
        s->cores = b[i].cores;
        s->busiest = b[i].busiest;
    }
}

/* The copies go through the host, which the device's yardstick does not see. So these times are
 * taken as they are. */
static struct interval end_to_end(const struct block *b, size_t n, double expected)
{
    const double present = estimate_present(b, n, expected);
    double *x = xcalloc(n + 1, sizeof *x);
    size_t used = 0;
    for (int only_accepted = 1; only_accepted >= 0 && !used; only_accepted--)
        for (size_t i = 0; i < n; i++)
            if (b[i].end_to_end > 0 && (!only_accepted || block_accepted(&b[i], expected, present)))
                x[used++] = b[i].end_to_end;
    struct interval r = stats_bootstrap_median(x, used, 0.95, 1);
    free(x);
    return r;
}

struct summary summary_of(const struct block *b, size_t n, double expected, double precision)
{
    const struct estimate e = estimate_of(b, n, expected, precision);
    struct summary s = {.relative = e.relative,
                        .seconds = {expected / e.relative.median, expected / e.relative.high,
                                    expected / e.relative.low, n},
                        .end_to_end = end_to_end(b, n, expected),
                        .precise = e.precise};
    find_cores(b, n, expected, &s);
    return s;
}
