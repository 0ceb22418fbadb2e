#include "kernel/values.h"

#include <stddef.h>

static const char *const types[] = {[TYPE_I32] = "i32", NULL};

static const char *const distributions[] = {
    [VALUES_FULL] = "full",
    [VALUES_SMALL] = "small",
    [VALUES_NEGATIVE] = "negative",
    [VALUES_SPARSE] = "sparse",
};

const char *type_name(enum element_type t)
{
    return types[t];
}

const char *type_in_c(enum element_type t)
{
    static const char *const names[] = {[TYPE_I32] = "int32_t"};
    return names[t];
}

const char *value_dist_name(enum value_dist v)
{
    return distributions[v];
}

const char *const *type_names(void)
{
    return types;
}
