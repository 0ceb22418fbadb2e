#include "measure/device_ceiling.h"

#include <math.h>

#include "base/known.h"

struct ceiling device_ceiling(const struct pg_device *d, enum element_type type)
{
    static const enum pg_element elements[TYPE_COUNT] = {
        [TYPE_I32] = PG_I32, [TYPE_F32] = PG_F32, [TYPE_F64] = PG_F64};
    struct ceiling c = {.workers = 1,
                        .tensor_gops = known_or_nan(d->tensor_gops),
                        .gbs = known_or_nan(d->copy_gbs),
                        .triad_gbs = (double)NAN};
    for (int t = 0; t < TYPE_COUNT; t++)
        c.type_gops[t] = known_or_nan(d->gops[elements[t]]);
    c.gops = c.type_gops[type];
    return c;
}
