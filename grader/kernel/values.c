#include "kernel/values.h"

#include <stdint.h>
#include <string.h>

static const struct {
    const char *in_c;
    size_t bytes;
    double roundoff;
    bool is_signed;
} type_of[] = {
    [TYPE_I32] = {"int32_t", sizeof(int32_t), 0, true},
    [TYPE_F32] = {"float", sizeof(float), 0x1p-24, true},
    [TYPE_F64] = {"double", sizeof(double), 0x1p-53, true},
    [TYPE_I8] = {"int8_t", sizeof(int8_t), 0, true},
    [TYPE_U8] = {"uint8_t", sizeof(uint8_t), 0, false},
    [TYPE_I16] = {"int16_t", sizeof(int16_t), 0, true},
    [TYPE_U16] = {"uint16_t", sizeof(uint16_t), 0, false},
    [TYPE_U32] = {"uint32_t", sizeof(uint32_t), 0, false},
    [TYPE_I64] = {"int64_t", sizeof(int64_t), 0, true},
    [TYPE_U64] = {"uint64_t", sizeof(uint64_t), 0, false},
    [TYPE_BOOL] = {"bool", sizeof(bool), 0, false},
    [TYPE_C64] = {"c64", 2 * sizeof(float), 0x1p-24, true},
    [TYPE_C128] = {"c128", 2 * sizeof(double), 0x1p-53, true},
};

static const char *const types[] = {[TYPE_I32] = "i32",   [TYPE_F32] = "f32",
                                    [TYPE_F64] = "f64",   [TYPE_I8] = "i8",
                                    [TYPE_U8] = "u8",     [TYPE_I16] = "i16",
                                    [TYPE_U16] = "u16",   [TYPE_U32] = "u32",
                                    [TYPE_I64] = "i64",   [TYPE_U64] = "u64",
                                    [TYPE_BOOL] = "bool", [TYPE_C64] = "c64",
                                    [TYPE_C128] = "c128", NULL};

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

bool type_is_real(enum element_type t)
{
    return t == TYPE_F32 || t == TYPE_F64;
}

bool type_is_complex(enum element_type t)
{
    return t == TYPE_C64 || t == TYPE_C128;
}

bool type_is_rounded(enum element_type t)
{
    return type_of[t].roundoff > 0;
}

bool type_is_integer(enum element_type t)
{
    return !type_is_rounded(t) && t != TYPE_BOOL;
}

enum element_type type_of_part(enum element_type t)
{
    return t == TYPE_C64 ? TYPE_F32 : t == TYPE_C128 ? TYPE_F64 : t;
}

bool type_is_signed(enum element_type t)
{
    return type_of[t].is_signed;
}

enum element_type type_of_arithmetic(enum element_type t)
{
    return type_is_rounded(t) ? type_of_part(t) : TYPE_I32;
}

static bool is_word(const char *word, const char *name, size_t n)
{
    return strlen(word) == n && memcmp(word, name, n) == 0;
}

bool type_find(const char *name, size_t n, enum element_type *t)
{
    for (int i = 0; i < TYPE_ALL; i++)
        if (is_word(types[i], name, n) || is_word(type_of[i].in_c, name, n)) {
            *t = (enum element_type)i;
            return true;
        }
    *t = TYPE_I32;
    return is_word("int", name, n);
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
