#include "kernel/element.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define WHOLE_TYPES(X)                                                                             \
    X(TYPE_I8, int8_t)                                                                             \
    X(TYPE_U8, uint8_t)                                                                            \
    X(TYPE_I16, int16_t)                                                                           \
    X(TYPE_U16, uint16_t)                                                                          \
    X(TYPE_I32, int32_t)                                                                           \
    X(TYPE_U32, uint32_t)                                                                          \
    X(TYPE_I64, int64_t)                                                                           \
    X(TYPE_U64, uint64_t)

void element_set_whole(enum element_type t, void *array, size_t i, int64_t x)
{
    switch (t) {
#define SET(TYPE, type)                                                                            \
    case TYPE:                                                                                     \
        ((type *)array)[i] = (type)x;                                                              \
        break;
        WHOLE_TYPES(SET)
#undef SET
    case TYPE_F32:
        ((float *)array)[i] = (float)x;
        break;
    case TYPE_F64:
        ((double *)array)[i] = (double)x;
        break;
    }
}

void element_set_real(enum element_type t, void *array, size_t i, double x)
{
    if (t == TYPE_F32)
        ((float *)array)[i] = (float)x;
    else if (t == TYPE_F64)
        ((double *)array)[i] = x;
    else
        element_set_whole(t, array, i, (int64_t)x);
}

static int64_t whole(enum element_type t, const void *array, size_t i)
{
    switch (t) {
#define GET(TYPE, type)                                                                            \
    case TYPE:                                                                                     \
        return (int64_t)((const type *)array)[i];
        WHOLE_TYPES(GET)
#undef GET
    default:
        return 0;
    }
}

double element_real(enum element_type t, const void *array, size_t i)
{
    return t == TYPE_F32   ? (double)((const float *)array)[i]
           : t == TYPE_F64 ? ((const double *)array)[i]
           : t == TYPE_U64 ? (double)((const uint64_t *)array)[i]
                           : (double)whole(t, array, i);
}

void element_text(enum element_type t, const void *array, size_t i, char out[ELEMENT_TEXT])
{
    if (type_is_real(t) && isnan(element_real(t, array, i)))
        snprintf(out, ELEMENT_TEXT, "nan");
    else if (type_is_real(t))
        snprintf(out, ELEMENT_TEXT, "%.*g", t == TYPE_F32 ? 9 : 17, element_real(t, array, i));
    else if (t == TYPE_U64)
        snprintf(out, ELEMENT_TEXT, "%" PRIu64, ((const uint64_t *)array)[i]);
    else
        snprintf(out, ELEMENT_TEXT, "%" PRId64, whole(t, array, i));
}

bool element_is_finite(enum element_type t, const void *array, size_t i)
{
    return !type_is_real(t) || isfinite(element_real(t, array, i));
}

bool element_equal(enum element_type t, const void *a, const void *b, size_t i)
{
    const size_t bytes = type_bytes(t);
    if (memcmp((const char *)a + i * bytes, (const char *)b + i * bytes, bytes) == 0)
        return true;
    const double x = type_is_real(t) ? element_real(t, a, i) : 0,
                 y = type_is_real(t) ? element_real(t, b, i) : 1;
    return x == y || (isnan(x) && isnan(y));
}

size_t element_difference(enum element_type t, const void *a, const void *b, size_t n)
{
    size_t i = 0;
    if (memcmp(a, b, n * type_bytes(t)) == 0)
        return n;
    while (i < n && element_equal(t, a, b, i))
        i++;
    return i;
}
