/* kinds.c - kinds of values: those of all kernels, and those of one. */
#include <string.h>

#include "kernel/kernel.h"

const char *kernel_values_name(const struct kernel *k, enum value_dist v)
{
    return v < VALUES_OWN ? value_dist_name(v) : k->kinds[v - VALUES_OWN].name;
}

bool kernel_values_exact(const struct kernel *k, enum value_dist v)
{
    return v < VALUES_OWN ? value_dist_exact(v) : k->kinds[v - VALUES_OWN].exact;
}

int kernel_values_rank(const struct kernel *k, enum value_dist v)
{
    (void)k;
    return v < VALUES_OWN ? value_dist_rank(v) : (int)v - VALUES_OWN;
}

bool kernel_values_find(const struct kernel *k, const char *name, enum value_dist *v)
{
    for (int i = 0; i < k->values_count; i++)
        if (strcmp(kernel_values_name(k, k->values[i]), name) == 0) {
            *v = k->values[i];
            return true;
        }
    return false;
}
