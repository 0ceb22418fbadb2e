#include "kernel/part.h"

#include "kernel/outputs.h"

struct part operand_part(const struct operand *o, struct shape s, int rank, int ranks)
{
    const size_t bytes = operand_bytes(o, s);
    if (o->on != ON_BLOCK)
        return (struct part){rank == 0 || o->on == ON_ALL, 0, bytes};
    const size_t rows = extents_one(o->size, 0, s.dim), row = rows ? bytes / rows : 0;
    const size_t first = rows * (size_t)rank / (size_t)ranks,
                 end = rows * ((size_t)rank + 1) / (size_t)ranks;
    return (struct part){true, first * row, (end - first) * row};
}

bool kernel_is_spread(const struct kernel *k)
{
    bool spread = false;
    for (int i = 0; i < k->inputs; i++)
        spread = spread || k->in[i].on != ON_ROOT;
    for (int i = 0; i < kernel_outputs(k); i++)
        spread = spread || kernel_output(k, i)->on != ON_ROOT;
    return spread;
}
