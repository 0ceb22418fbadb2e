#include "kernel/values.h"

#include <stdint.h>
#include <string.h>

static const struct {
    const char *in_c;
    size_t bytes;
    double roundoff;
} type_of[] = {
    [TYPE_I32] = {"int32_t", sizeof(int32_t), 0},
    [TYPE_F32] = {"float", sizeof(float), 0x1p-24},
    [TYPE_F64] = {"double", sizeof(double), 0x1p-53},
};

static const char *const types[] = {
    [TYPE_I32] = "i32", [TYPE_F32] = "f32", [TYPE_F64] = "f64", NULL};

static const char *const distributions[] = {
    [VALUES_FULL] = "full",
    [VALUES_SMALL] = "small",
    [VALUES_NEGATIVE] = "negative",
    [VALUES_SPARSE] = "sparse",
    [VALUES_BALANCED] = "balanced",
    [VALUES_WIDE_LEFT] = "wide-left",
    [VALUES_WIDE_RIGHT] = "wide-right",
    [VALUES_GRADED] = "graded",
    [VALUES_CANCELLING] = "cancelling",
    [VALUES_UNIFORM] = "uniform",
};

const char *type_name(enum element_type t)
{
    return types[t];
}

const char *type_in_c(enum element_type t)
{
    return type_of[t].in_c;
}

size_t type_bytes(enum element_type t)
{
    return type_of[t].bytes;
}

double type_roundoff(enum element_type t)
{
    return type_of[t].roundoff;
}

const char *value_dist_name(enum value_dist v)
{
    return distributions[v];
}

bool value_dist_exact(enum value_dist v)
{
    return v != VALUES_UNIFORM;
}

int value_dist_rank(enum value_dist v)
{
    static const int ranks[] = {
        [VALUES_SMALL] = 0,      [VALUES_NEGATIVE] = 1, [VALUES_SPARSE] = 2,
        [VALUES_FULL] = 3,       [VALUES_BALANCED] = 4, [VALUES_WIDE_LEFT] = 5,
        [VALUES_WIDE_RIGHT] = 6, [VALUES_GRADED] = 7,   [VALUES_CANCELLING] = 8,
        [VALUES_UNIFORM] = 9,
    };
    return ranks[v];
}

const char *const *type_names(void)
{
    return types;
}
