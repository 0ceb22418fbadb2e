#include "model/summary.h"

#include <math.h>
#include <stdlib.h>

#include "base/strbuf.h"

unsigned summary_mark_slow(struct sample *samples, unsigned count)
{
    const double slow = 1.1;
    double floor = INFINITY;
    unsigned calm = 0;
    for (unsigned i = 0; i < count; i++)
        if (!samples[i].disturbed)
            floor = fmin(floor, samples[i].seconds);
    for (unsigned i = 0; i < count; i++) {
        samples[i].disturbed = samples[i].disturbed || samples[i].seconds > slow * floor;
        calm += !samples[i].disturbed;
    }
    return calm;
}

struct summary summary_of(const struct sample *samples, unsigned count, double precision)
{
    double *seconds = xcalloc(count, sizeof *seconds);
    double *relative = xcalloc(count, sizeof *relative);
    double *end_to_end = xcalloc(count, sizeof *end_to_end);
    unsigned calm = 0;
    size_t n = 0;
    for (unsigned i = 0; i < count; i++)
        calm += !samples[i].disturbed;
    bool only_calm = calm >= SUMMARY_FEW;
    for (unsigned i = 0; i < count; i++) {
        if (only_calm && samples[i].disturbed)
            continue;
        seconds[n] = samples[i].seconds;
        end_to_end[n] = samples[i].end_to_end;
        relative[n++] = samples[i].yardstick / samples[i].seconds;
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
