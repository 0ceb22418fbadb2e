#include "proctor/node_driver.h"

#include "model/spread.h"

struct driver_spec node_driver_spec(struct node_context *n, const struct tier *t)
{
    return (struct driver_spec){.kind = t->kind,
                                .memory = t->memory == MEMORY_MAPPED ? PG_MEMORY_MAPPED
                                                                     : PG_MEMORY_DEVICE,
                                .launcher = t->launcher,
                                .function = t->kernel->function,
                                .spread = tier_is_spread(t),
                                .limits = &n->run.assignment->limits,
                                .sandbox = &n->sandbox,
                                .supervisor = &n->supervisor};
}
