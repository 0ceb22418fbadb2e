#include "measure/expected_time.h"

#include <stdlib.h>

#include "base/strbuf.h"
#include "model/summary.h"

void expected_times_free(struct expected_times *t)
{
    free(t->item);
    *t = (struct expected_times){0};
}

struct expected_time *expected_times_get(struct expected_times *t, struct shape shape)
{
    for (size_t i = 0; i < t->count; i++)
        if (shape_equal(t->item[i].shape, shape))
            return &t->item[i];
    t->item = xrealloc_array(t->item, t->count + 1, sizeof *t->item);
    t->item[t->count] = (struct expected_time){shape, (double)NAN, (double)INFINITY};
    return &t->item[t->count++];
}

void expected_times_record(struct expected_times *t, struct shape shape, double seconds)
{
    struct expected_time *x = expected_times_get(t, shape);
    x->recorded = x->seconds = seconds;
}

void interference_note(struct interference *i, double before, double after,
                       const struct expected_time *x, uint64_t ns)
{
    const double slower = fmax(before, after);
    i->fastest = fmin(i->fastest, fmin(before, after));
    i->fastest_pair = fmin(i->fastest_pair, slower);
    if (slower > SUMMARY_STRICTEST * x->seconds)
        i->disturbed_ns += ns;
}

void expected_time_update(struct expected_time *x, const struct interference *i, bool may_wait)
{
    if (isnan(x->recorded)) {
        x->seconds = fmin(x->seconds, i->fastest);
        return;
    }
    if (!may_wait && isfinite(i->fastest_pair) && i->fastest_pair > SUMMARY_MILDEST * x->seconds)
        x->seconds = i->fastest;
    x->seconds = fmax(x->recorded, fmin(x->seconds, i->fastest));
}
