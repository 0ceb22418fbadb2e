#include "measure/expected_time.h"

#include <math.h>
#include <stdlib.h>

#include "base/strbuf.h"

void expected_times_free(struct expected_times *t)
{
    free(t->item);
    free(t->core_rate);
    *t = (struct expected_times){0};
}

double expected_times_get(const struct expected_times *t, struct shape shape)
{
    for (size_t i = 0; i < t->count; i++)
        if (shape_equal(t->item[i].shape, shape))
            return t->item[i].seconds;
    return (double)NAN;
}

void expected_times_set(struct expected_times *t, struct shape shape, double seconds)
{
    for (size_t i = 0; i < t->count; i++) {
        if (!shape_equal(t->item[i].shape, shape))
            continue;
        t->item[i].seconds = seconds;
        return;
    }
    t->item = xrealloc_array(t->item, t->count + 1, sizeof *t->item);
    t->item[t->count++] = (struct expected_time){shape, seconds};
}

double expected_core_rate(const struct expected_times *t, int cores)
{
    for (size_t i = 0; i < t->core_rate_count; i++)
        if (t->core_rate[i].cores == cores)
            return t->core_rate[i].rate;
    return (double)NAN;
}

void expected_core_rate_add(struct expected_times *t, int cores, double rate)
{
    t->core_rate = xrealloc_array(t->core_rate, t->core_rate_count + 1, sizeof *t->core_rate);
    t->core_rate[t->core_rate_count++] = (struct core_rate){cores, rate};
}
