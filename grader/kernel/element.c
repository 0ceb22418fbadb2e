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

/* Real and without imaginary part. */
static void set_complex(enum element_type t, void *array, size_t i, double x)
{
    const enum element_type part = type_of_part(t);
    element_set_real(part, array, 2 * i, x);
    element_set_real(part, array, 2 * i + 1, 0);
}

void element_set_whole(enum element_type t, void *array, size_t i, int64_t x)
{
    switch (t) {
    case TYPE_BOOL:
        ((unsigned char *)array)[i] = x != 0;
        break;
    case TYPE_C64:
    case TYPE_C128:
        set_complex(t, array, i, (double)x);
        break;
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
    else if (type_is_complex(t))
        set_complex(t, array, i, x);
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
    case TYPE_BOOL:
        return ((const unsigned char *)array)[i]; /* a wrong one may be any byte */
    default:
        return 0;
    }
}

double element_part(enum element_type t, const void *array, size_t i, int part)
{
    if (type_is_complex(t))
        return element_real(type_of_part(t), array, 2 * i + (size_t)part);
    return part ? 0 : element_real(t, array, i);
}

double element_distance(enum element_type t, const void *a, const void *b, size_t i)
{
    const double x = element_part(t, a, i, 0) - element_part(t, b, i, 0);
    return type_is_complex(t) ? hypot(x, element_part(t, a, i, 1) - element_part(t, b, i, 1))
                              : fabs(x);
}

double element_real(enum element_type t, const void *array, size_t i)
{
    if (type_is_complex(t))
        return hypot(element_part(t, array, i, 0), element_part(t, array, i, 1));
    return t == TYPE_F32   ? (double)((const float *)array)[i]
           : t == TYPE_F64 ? ((const double *)array)[i]
           : t == TYPE_U64 ? (double)((const uint64_t *)array)[i]
                           : (double)whole(t, array, i);
}

/* "nan+0i" */
static void complex_text(enum element_type t, const void *array, size_t i, char out[ELEMENT_TEXT])
{
    const int digits = t == TYPE_C64 ? 9 : 17;
    snprintf(out, ELEMENT_TEXT, "%.*g%+.*gi", digits, element_part(t, array, i, 0), digits,
             element_part(t, array, i, 1));
}

void element_text(enum element_type t, const void *array, size_t i, char out[ELEMENT_TEXT])
{
    if (type_is_complex(t))
        complex_text(t, array, i, out);
    else if (type_is_real(t) && isnan(element_real(t, array, i)))
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
    return !type_is_rounded(t) ||
           (isfinite(element_part(t, array, i, 0)) && isfinite(element_part(t, array, i, 1)));
}

bool element_equal(enum element_type t, const void *a, const void *b, size_t i)
{
    const size_t bytes = type_bytes(t);
    if (memcmp((const char *)a + i * bytes, (const char *)b + i * bytes, bytes) == 0)
        return true;
    bool equal = type_is_rounded(t);
    for (int part = 0; part < 2 && equal; part++) {
        const double x = element_part(t, a, i, part), y = element_part(t, b, i, part);
        equal = x == y || (isnan(x) && isnan(y));
    }
    return equal;
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
