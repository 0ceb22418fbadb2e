#include "kernel/element_order.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ORDER(name, type)                                                                          \
    static int name(const void *a, const void *b)                                                  \
    {                                                                                              \
        type x, y;                                                                                 \
        memcpy(&x, a, sizeof x);                                                                   \
        memcpy(&y, b, sizeof y);                                                                   \
        return (x > y) - (x < y);                                                                  \
    }
ORDER(order_i8, int8_t)
ORDER(order_u8, uint8_t)
ORDER(order_i16, int16_t)
ORDER(order_u16, uint16_t)
ORDER(order_i32, int32_t)
ORDER(order_u32, uint32_t)
ORDER(order_i64, int64_t)
ORDER(order_u64, uint64_t)

/* The numbers that are none come last: students' results hold some, and qsort() relies on an order.
 */
#define ORDER_REAL(name, type)                                                                     \
    static int name(const void *a, const void *b)                                                  \
    {                                                                                              \
        type x, y;                                                                                 \
        memcpy(&x, a, sizeof x);                                                                   \
        memcpy(&y, b, sizeof y);                                                                   \
        return isnan(x) || isnan(y) ? (isnan(x) != 0) - (isnan(y) != 0) : (x > y) - (x < y);       \
    }
ORDER_REAL(order_f32, float)
ORDER_REAL(order_f64, double)

/* Any order will do to find out whether sets are equal: by real parts, then by imaginary ones. */
static int order_c64(const void *a, const void *b)
{
    const int way = order_f32(a, b);
    return way ? way : order_f32((const float *)a + 1, (const float *)b + 1);
}

static int order_c128(const void *a, const void *b)
{
    const int way = order_f64(a, b);
    return way ? way : order_f64((const double *)a + 1, (const double *)b + 1);
}

static int (*const order[])(const void *, const void *) = {
    [TYPE_I8] = order_i8,    [TYPE_U8] = order_u8,   [TYPE_I16] = order_i16, [TYPE_U16] = order_u16,
    [TYPE_I32] = order_i32,  [TYPE_U32] = order_u32, [TYPE_I64] = order_i64, [TYPE_U64] = order_u64,
    [TYPE_F32] = order_f32,  [TYPE_F64] = order_f64, [TYPE_BOOL] = order_u8, [TYPE_C64] = order_c64,
    [TYPE_C128] = order_c128};

void elements_sort(void *elements, size_t n, enum element_type type)
{
    qsort(elements, n, type_bytes(type), order[type]);
}

struct row {
    size_t width;
    enum element_type type;
};

static int order_row(const void *a, const void *b, void *row)
{
    const struct row *r = row;
    const size_t bytes = type_bytes(r->type);
    int way = 0;
    for (size_t i = 0; i < r->width && !way; i++)
        way = order[r->type]((const char *)a + i * bytes, (const char *)b + i * bytes);
    return way;
}

void rows_sort(void *elements, size_t rows, size_t width, enum element_type type)
{
    struct row r = {width, type};
    if (width == 1)
        elements_sort(elements, rows, type);
    else
        qsort_r(elements, rows, width * type_bytes(type), order_row, &r);
}
