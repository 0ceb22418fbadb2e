/* compare_whole.c - results of integers of any width. They are always exact. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "kernel/compare.h"
#include "kernel/low_bits.h"
#include "kernel/pattern.h"
#include "kernel/value_pattern.h"

/* What the element held before. */
static uint64_t held_before(const struct comparison *c, enum element_type t, size_t i)
{
    const uint64_t poison = c->poison;
    if (c->initial)
        return low_bits_at(c->initial, t, i);
    const size_t bytes = type_bytes(t), at = i * bytes % sizeof poison;
    const uint64_t v = poison >> 8 * at;
    return bytes == sizeof v ? v : v & ((UINT64_C(1) << 8 * bytes) - 1);
}

static void show(uint64_t v, enum element_type t, char out[ELEMENT_TEXT])
{
    const int unused = 64 - 8 * (int)type_bytes(t);
    if (type_is_signed(t))
        snprintf(out, ELEMENT_TEXT, "%" PRId64, (int64_t)(v << unused) >> unused);
    else
        snprintf(out, ELEMENT_TEXT, "%" PRIu64, v);
}

static unsigned char facts_of(uint64_t expected, uint64_t got, uint64_t poison, int unused)
{
    if (expected == got)
        return (unsigned char)((got == 0 ? ELEMENT_ZERO : 0) |
                               (got == poison ? ELEMENT_UNTOUCHED : 0));
    const bool added = (got - poison) << unused == expected << unused;
    return (unsigned char)(ELEMENT_WRONG | (got == poison ? ELEMENT_UNTOUCHED : 0) |
                           (got == 0 ? ELEMENT_ZERO : 0) | (added ? ELEMENT_ADDED_TO : 0));
}

uint64_t compare_whole(const struct kernel *k, const struct comparison *c, struct mismatch *m,
                       struct accuracy *a)
{
    const enum element_type t = k->out.type;
    const size_t n = operand_elements(&k->out, c->shape), cols = operand_cols(&k->out, c->shape);
    *m = (struct mismatch){0};
    *a = (struct accuracy){NAN, NAN};
    if (memcmp(c->expected, c->got, n * type_bytes(t)) == 0)
        return 0;
    OWNED unsigned char *facts = xcalloc(n, sizeof *facts);
    for (size_t i = 0; i < n; i++)
        facts[i] = facts_of(low_bits_at(c->expected, t, i), low_bits_at(c->got, t, i),
                            held_before(c, t, i), 64 - 8 * (int)type_bytes(t));
    const struct wrong_elements w = {
        k, c->shape, facts,
        pattern_is_transposed(n / cols, cols, type_bytes(t), c->expected, c->got), c->launch};
    if (!pattern_describe(&w, m) && !w.transposed)
        value_pattern_describe(&(struct wrong_values){t, c->expected, c->got, facts, n / cols, cols,
                                                      pattern_row(&k->out), false},
                               m);
    const size_t first = (size_t)m->row * cols + (size_t)m->col;
    show(low_bits_at(c->expected, t, first), t, m->expected);
    show(low_bits_at(c->got, t, first), t, m->got);
    return m->wrong;
}
