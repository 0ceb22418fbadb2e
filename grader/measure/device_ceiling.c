#include "measure/device_ceiling.h"

#include <math.h>

static double known(double rate)
{
    return isfinite(rate) && rate > 0 ? rate : (double)NAN;
}

struct ceiling device_ceiling(const struct pg_device *d, enum element_type type)
{
    static const enum pg_element elements[TYPE_COUNT] = {
        [TYPE_I32] = PG_I32, [TYPE_F32] = PG_F32, [TYPE_F64] = PG_F64};
    struct ceiling c = {.workers = 1,
                        .tensor_gops = known(d->tensor_gops),
                        .gbs = known(d->copy_gbs),
                        .triad_gbs = (double)NAN,
                        .core_rate = (double)NAN};
    for (int t = 0; t < TYPE_COUNT; t++)
        c.type_gops[t] = known(d->gops[elements[t]]);
    c.gops = c.type_gops[type];
    return c;
}
