#include "kernel/generator.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/element_order.h"
#include "kernel/exact.h"
#include "kernel/generator_matrix.h"
#include "kernel/random_stream.h"

struct target {
    enum element_type type;
    uint32_t n;
    unsigned char *dst;
    const struct generator_target *of;
};

/* Each generator of an input has streams of its own. */
static struct random_stream stream_of(const struct target *t, int part)
{
    struct random_stream s;
    random_stream_init(&s, t->of->seed, t->of->input, part);
    return s;
}

static void *place(const struct target *t, uint32_t i)
{
    return t->dst + (size_t)i * type_bytes(t->type);
}

static void put_whole(const struct target *t, uint32_t i, int64_t v)
{
    const float f = (float)v;
    const double d = (double)v;
    if (t->type == TYPE_F32)
        memcpy(place(t, i), &f, sizeof f);
    else if (t->type == TYPE_F64)
        memcpy(place(t, i), &d, sizeof d);
    else if (t->type == TYPE_BOOL)
        *(unsigned char *)place(t, i) = v & 1;
    else /* the bytes that come first are the low ones on every machine that we know */
        memcpy(place(t, i), &v, type_bytes(t->type));
}

/* As the bits of a 64-bit integer: unsigned ones may be too large for a signed one. */
static int64_t whole_of(double v)
{
    return v >= 0x1p63 ? (int64_t)(uint64_t)v : (int64_t)v;
}

static void put_number(const struct target *t, uint32_t i, double v)
{
    const float f = (float)v;
    if (t->type == TYPE_F32)
        memcpy(place(t, i), &f, sizeof f);
    else if (t->type == TYPE_F64)
        memcpy(place(t, i), &v, sizeof v);
    else
        put_whole(t, i, whole_of(v));
}

/* Bits of whole numbers such that a sum of `terms` products of two of them is exact. */
static int whole_bits(const struct target *t)
{
    const int mantissa = t->type == TYPE_F64 ? 53
                         : t->type == TYPE_F32
                             ? 24
                             : 8 * (int)type_bytes(t->type) - type_is_signed(t->type);
    const int terms = t->of->terms > INT32_MAX ? INT32_MAX
                      : t->of->terms >= 1      ? (int)t->of->terms
                                               : 1;
    const int bits = (mantissa - exact_sum_bits(terms)) / 2;
    return bits < 1 ? 1 : bits > 31 ? 31 : bits;
}

static void fill_whole(const struct target *t, const struct generator *g, struct random_stream *s)
{
    const int bits = g->numbers ? (int)g->number[0] : whole_bits(t);
    for (struct random_span p = {0}; random_span_next(&p, s, t->n);)
        for (uint32_t i = 0; i < p.count; i++) {
            const double v = random_whole(p.word[i], bits);
            put_whole(t, p.first + i, (int64_t)(type_is_signed(t->type) ? v : fabs(v)));
        }
}

static uint64_t word64(struct random_stream *s, uint32_t i)
{
    const uint64_t low = random_stream_word(s, 2 * i);
    return (uint64_t)random_stream_word(s, 2 * i + 1) << 32 | low;
}

/* With all bits of the mantissa between -1 and 1, then moved and stretched. */
static void fill_reals(const struct target *t, const struct generator *g, struct random_stream *s)
{
    const double half = (g->number[1] - g->number[0]) / 2, middle = g->number[0] + half;
    const bool as_is = half == 1 && middle == 0;
    if (t->type == TYPE_F32) {
        float *x = (float *)(void *)t->dst;
        random_uniform_f32(s, 0, t->n, x);
        for (uint32_t i = 0; i < t->n && !as_is; i++)
            x[i] = (float)(middle + half * (double)x[i]);
    } else {
        double *x = (double *)(void *)t->dst;
        random_uniform_f64(s, 0, t->n, x);
        for (uint32_t i = 0; i < t->n && !as_is; i++)
            x[i] = middle + half * x[i];
    }
}

static void fill_integers(const struct target *t, const struct generator *g,
                          struct random_stream *s)
{
    const double span = g->number[1] - g->number[0] + 1;
    const uint64_t count = span < 0x1p64 ? (uint64_t)span : 0;
    const int64_t low = whole_of(g->number[0]);
    for (uint32_t i = 0; i < t->n; i++) {
        const uint64_t word = word64(s, i);
        put_whole(t, i, (int64_t)((uint64_t)low + (count ? word % count : word)));
    }
}

static void fill_full(const struct target *t, struct random_stream *s)
{
    for (uint32_t i = 0; i < t->n; i++)
        put_whole(t, i,
                  (int64_t)(type_bytes(t->type) == 8 ? word64(s, i) : random_stream_word(s, i)));
}

static void fill_choice(const struct target *t, const struct generator *g, struct random_stream *s)
{
    for (uint32_t i = 0; i < t->n; i++)
        put_number(t, i, g->number[random_stream_word(s, i) % (uint32_t)g->numbers]);
}

static void fill_below(const struct target *t, const struct generator *g, struct random_stream *s)
{
    const uint32_t most = (uint32_t)t->of->dim[g->dimension];
    for (uint32_t i = 0; i < t->n; i++)
        put_whole(t, i, (int64_t)((uint64_t)random_stream_word(s, i) * most >> 32));
}

static void fill_count(const struct target *t, const struct generator *g)
{
    const int64_t size = t->of->dim[g->dimension], most = size ? size : 1,
                  first = (int64_t)g->number[0];
    for (uint32_t i = 0; i < t->n; i++)
        put_whole(t, i, (first + i) % most);
}

/* Where rows begin that have a dimension's number of entries together; the last one ends there. */
static void fill_offsets(const struct target *t, const struct generator *g, struct random_stream *s)
{
    const uint32_t most = (uint32_t)t->of->dim[g->dimension];
    for (uint32_t i = 0; i < t->n; i++)
        put_whole(t, i, (int64_t)((uint64_t)random_stream_word(s, i) * (most + UINT64_C(1)) >> 32));
    put_whole(t, 0, 0);
    put_whole(t, t->n - 1, t->n > 1 ? most : 0);
    elements_sort(t->dst, t->n, t->type);
}

static void swap(const struct target *t, uint32_t i, uint32_t j)
{
    unsigned char a[8], b[8];
    const size_t n = type_bytes(t->type);
    memcpy(a, place(t, i), n);
    memcpy(b, place(t, j), n);
    memcpy(place(t, i), b, n);
    memcpy(place(t, j), a, n);
}

/* gaps: between numbers that follow each other, 1 .. gaps; then they are shuffled (Fisher-Yates).
 */
static void fill_distinct(const struct target *t, unsigned gaps, struct random_stream *s)
{
    int64_t v = 0;
    for (uint32_t i = 0; i < t->n; i++) {
        put_whole(t, i, v);
        v += 1 + random_stream_word(s, i) % gaps;
    }
    struct random_stream order = stream_of(t, 7);
    for (uint32_t i = t->n; i > 1; i--)
        swap(t, i - 1, (uint32_t)((uint64_t)random_stream_word(&order, t->n - i) * i >> 32));
}

static void make_sparse(const struct target *t, double share, struct random_stream *s)
{
    const double limit = share * 0x1p32;
    for (uint32_t i = 0; i < t->n; i++)
        if ((double)random_stream_word(s, i) >= limit)
            put_whole(t, i, 0);
}

static void make_few(const struct target *t, uint32_t count, struct random_stream *s)
{
    const uint32_t pool = count < t->n ? count : t->n;
    for (uint32_t i = pool; i < t->n; i++)
        memcpy(place(t, i), place(t, random_stream_word(s, i) % pool), type_bytes(t->type));
}

/* At one place, in such a share of all runs. */
static void make_plant(const struct target *t, const struct generator *g, struct random_stream *s)
{
    if (t->n && (double)random_stream_word(s, 0) < g->number[1] * 0x1p32)
        put_number(t, random_stream_word(s, 1) % t->n, g->number[0]);
}

static void make_sorted(const struct target *t, bool reversed)
{
    elements_sort(t->dst, t->n, t->type);
    for (uint32_t i = 0; reversed && i < t->n / 2; i++)
        swap(t, i, t->n - 1 - i);
}

/* Rows of a square matrix. */
static size_t side_of(const struct target *t)
{
    return (size_t)llround(sqrt(t->n));
}

static void fill_one(const struct target *t, const struct generator *g, int part)
{
    struct random_stream s = stream_of(t, part);
    switch (g->kind) {
    case GENERATE_WHOLE:
        fill_whole(t, g, &s);
        return;
    case GENERATE_UNIFORM:
        if (type_is_real(t->type))
            fill_reals(t, g, &s);
        else
            fill_integers(t, g, &s);
        return;
    case GENERATE_FULL:
        fill_full(t, &s);
        return;
    case GENERATE_CONSTANT:
        for (uint32_t i = 0; i < t->n; i++)
            put_number(t, i, g->number[0]);
        return;
    case GENERATE_CHOICE:
        fill_choice(t, g, &s);
        return;
    case GENERATE_PERMUTATION:
    case GENERATE_DISTINCT:
        fill_distinct(t, g->kind == GENERATE_DISTINCT ? 8 : 1, &s);
        return;
    case GENERATE_BELOW:
        fill_below(t, g, &s);
        return;
    case GENERATE_COUNT:
        fill_count(t, g);
        return;
    case GENERATE_CALL:
        memset(t->dst, 0, t->n * type_bytes(t->type));
        return;
    case GENERATE_OFFSETS:
        fill_offsets(t, g, &s);
        return;
    case GENERATE_SYMMETRIC:
        matrix_mirror(t->type, side_of(t), t->dst);
        return;
    case GENERATE_LOWER:
        matrix_lower(t->type, side_of(t), t->dst);
        return;
    case GENERATE_DOMINANT:
        matrix_dominate(t->type, side_of(t), t->dst);
        return;
    case GENERATE_SPARSE:
        make_sparse(t, g->number[0], &s);
        return;
    case GENERATE_FEW:
        make_few(t, (uint32_t)g->number[0], &s);
        return;
    case GENERATE_PLANT:
        make_plant(t, g, &s);
        return;
    case GENERATE_SORTED:
    case GENERATE_REVERSED:
        make_sorted(t, g->kind == GENERATE_REVERSED);
        return;
    }
}

void generators_fill(const struct generators *g, const struct generator_target *of, void *dst)
{
    /* The parts of complex numbers are made like other numbers. */
    const uint32_t parts = type_is_complex(of->type) ? 2 : 1;
    const struct target t = {type_of_part(of->type), parts * of->n, dst, of};
    for (int i = 0; i < g->count; i++)
        fill_one(&t, &g->item[i], i);
}
