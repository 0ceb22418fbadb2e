#include "model/spread.h"

#include "kernel/part.h"
#include "model/launch_kind.h"

bool tier_is_spread(const struct tier *t)
{
    return launch_kind_has(t->kind, KIND_RANKS) && !launch_kind_has(t->kind, KIND_DEVICE) &&
           kernel_is_spread(t->kernel);
}
