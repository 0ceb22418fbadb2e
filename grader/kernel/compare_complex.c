/* compare_complex.c - results of complex numbers, by the absolute value of what they are off. */
#include <math.h>
#include <string.h>

#include "base/strbuf.h"
#include "kernel/compare.h"
#include "kernel/element.h"
#include "kernel/pattern.h"

/* The units of error, as of real numbers: see units_of() in compare_real.h. */
static double *units_of(enum element_type t, const struct comparison *c, size_t n)
{
    const double least_spread = c->least_spread ? *c->least_spread : 0;
    double *unit = xcalloc(n + 1, sizeof *unit), squares = 0;
    for (size_t i = 0; i < n; i++) {
        const double own = type_roundoff(t) * element_real(t, c->expected, i);
        unit[i] = fmax(own, fmax(c->spread ? c->spread[i] : 0, least_spread));
        squares += unit[i] * unit[i];
    }
    for (size_t i = 0; i < n; i++)
        unit[i] = fmax(unit[i], sqrt(squares / (double)n));
    return unit;
}

/* An element without any scale must be right. What is not finite makes the sum NAN or infinite. */
static struct accuracy measure(enum element_type t, const struct comparison *c, const double *unit,
                               size_t n)
{
    struct accuracy a = {0, 0};
    double squares = 0;
    for (size_t i = 0; i < n; i++) {
        const double off = element_distance(t, c->got, c->expected, i);
        const double x = unit[i] > 0 ? off / unit[i] : off == 0 ? 0 : (double)INFINITY;
        squares += x * x;
        a.max = fmax(a.max, x);
    }
    a.rms = n ? sqrt(squares / (double)n) : 0;
    return a;
}

/* The poison is as long as a complex float, and half as long as a complex double. */
static bool untouched(enum element_type t, const struct comparison *c, size_t i)
{
    const size_t bytes = type_bytes(t), word = sizeof c->poison;
    const unsigned char *got = (const unsigned char *)c->got + i * bytes;
    if (c->initial)
        return memcmp(got, (const unsigned char *)c->initial + i * bytes, bytes) == 0;
    bool same = true;
    for (size_t at = 0; at < bytes; at += word)
        same = same && memcmp(got + at, &c->poison, word) == 0;
    return same;
}

static unsigned char facts_of(enum element_type t, const struct comparison *c, size_t i,
                              double allowed)
{
    const bool wrong = !(element_distance(t, c->got, c->expected, i) <= allowed);
    return (unsigned char)((wrong ? ELEMENT_WRONG : 0) |
                           (untouched(t, c, i) ? ELEMENT_UNTOUCHED : 0) |
                           (element_real(t, c->got, i) == 0 ? ELEMENT_ZERO : 0));
}

static void describe(const struct kernel *k, const struct comparison *c, const double *unit,
                     double limit, struct mismatch *m)
{
    const enum element_type t = k->out.type;
    const size_t n = operand_elements(&k->out, c->shape), cols = operand_cols(&k->out, c->shape);
    OWNED unsigned char *facts = xcalloc(n, sizeof *facts);
    for (size_t i = 0; i < n; i++)
        facts[i] = facts_of(t, c, i, unit ? limit * unit[i] : 0);
    const struct wrong_elements w = {k, c->shape, facts, false, c->launch};
    pattern_describe(&w, m);
    const size_t first = (size_t)m->row * cols + (size_t)m->col;
    element_text(t, c->expected, first, m->expected);
    element_text(t, c->got, first, m->got);
}

/* As numbers: -0 equals 0, and a NAN equals nothing. */
static bool all_equal(enum element_type t, const struct comparison *c, size_t n)
{
    size_t equal = 0;
    for (size_t i = 0; i < n; i++)
        equal += element_distance(t, c->got, c->expected, i) == 0;
    return equal == n;
}

uint64_t compare_complex(const struct kernel *k, const struct comparison *c, struct mismatch *m,
                         struct accuracy *a)
{
    const enum element_type t = k->out.type;
    const size_t n = operand_elements(&k->out, c->shape);
    *m = (struct mismatch){0};
    *a = (struct accuracy){NAN, NAN};
    if (c->exact || kernel_values_exact(k, c->values)) {
        if (!all_equal(t, c, n))
            describe(k, c, NULL, 0, m);
        return m->wrong;
    }
    OWNED double *unit = units_of(t, c, n);
    *a = measure(t, c, unit, n);
    /* If only the root mean square is too large, what exceeds it is wrong. */
    const bool far = !(a->max <= KERNEL_ERROR_MOST) || isnan(a->rms);
    if (far || !(a->rms <= KERNEL_ERROR_RMS_MOST))
        describe(k, c, unit, far ? KERNEL_ERROR_MOST : KERNEL_ERROR_RMS_MOST, m);
    return m->wrong;
}
