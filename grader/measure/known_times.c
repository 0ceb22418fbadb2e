#include "measure/known_times.h"

#include <math.h>
#include <stdlib.h>

#include "base/strbuf.h"

double known_times_get(const struct known_times *t, struct shape shape)
{
    for (size_t i = 0; i < t->count; i++)
        if (shape_equal(t->item[i].shape, shape))
            return t->item[i].seconds;
    return (double)NAN;
}

void known_times_note(struct known_times *t, struct shape shape, double seconds)
{
    size_t i = 0;
    while (i < t->count && !shape_equal(t->item[i].shape, shape))
        i++;
    if (i == t->count) {
        if (isnan(seconds))
            return;
        t->item = xrealloc_array(t->item, t->count + 1, sizeof *t->item);
        t->item[t->count++] = (struct known_time){shape, seconds};
    }
    t->item[i].seconds = fmin(t->item[i].seconds, seconds);
}

void known_times_free(struct known_times *t)
{
    free(t->item);
    *t = (struct known_times){0};
}
