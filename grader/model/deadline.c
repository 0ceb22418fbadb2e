#include "model/deadline.h"

#include <math.h>

double deadline_penalty(const struct deadline *d, int64_t late_s)
{
    if (!d->given || late_s <= 0 || late_s <= d->grace_s)
        return 0;
    if (d->closed_s && late_s > d->closed_s)
        return 1;
    const int64_t begun = (late_s + d->every_s - 1) / d->every_s;
    return fmin(d->most, (double)begun * d->penalty);
}
