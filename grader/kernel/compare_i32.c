/* compare_i32.c - results of 32-bit integers. They are always exact. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "kernel/compare.h"
#include "kernel/pattern.h"
#include "kernel/row_order.h"
#include "kernel/value_pattern.h"

/* What the element held before. */
static int32_t held_before(const struct comparison *c, size_t i)
{
    return c->initial ? ((const int32_t *)c->initial)[i]
                      : (int32_t)(uint32_t)(i % 2 ? c->poison >> 32 : c->poison);
}

/* More significant bits than a float has. */
static bool large(int32_t x)
{
    return x > 1 << 24 || x < -(1 << 24);
}

/* Each of some hundred sums may have been rounded. */
static bool rounded(int32_t expected, int32_t got)
{
    const int64_t off = (int64_t)got - expected;
    return large(expected) && large(got) && (int64_t)(float)got == got &&
           llabs(off) <= llabs(expected) >> 14;
}

static unsigned char facts_of(int32_t expected, int32_t got, int32_t poison)
{
    if (expected == got)
        return (unsigned char)((got == 0 ? ELEMENT_ZERO : 0) |
                               (got == poison ? ELEMENT_UNTOUCHED : 0));
    return (
        unsigned char)(ELEMENT_WRONG | (got == poison ? ELEMENT_UNTOUCHED : 0) |
                       (got == INT32_MIN ? ELEMENT_INT_MIN : 0) | (got == 0 ? ELEMENT_ZERO : 0) |
                       (rounded(expected, got) ? ELEMENT_ROUNDED : 0) |
                       ((uint32_t)got - (uint32_t)poison == (uint32_t)expected ? ELEMENT_ADDED_TO
                                                                               : 0));
}

uint64_t compare_i32(const struct kernel *k, const struct comparison *c, struct mismatch *m,
                     struct accuracy *a)
{
    const size_t rows = operand_rows(&k->out, c->shape), cols = operand_cols(&k->out, c->shape);
    const int32_t *expected = c->expected, *got = c->got;
    *m = (struct mismatch){0};
    *a = (struct accuracy){NAN, NAN};
    if (memcmp(expected, got, rows * cols * sizeof *got) == 0)
        return 0;
    unsigned char *facts = xcalloc(rows * cols, sizeof *facts);
    for (size_t i = 0; i < rows * cols; i++)
        facts[i] = facts_of(expected[i], got[i], held_before(c, i));
    const struct wrong_elements w = {k, c->shape, facts,
                                     pattern_is_transposed(rows, cols, sizeof *got, expected, got),
                                     c->launch};
    const bool whole = pattern_describe(&w, m);
    const char *mistake = k->explain ? k->explain(c, facts) : NULL;
    if (mistake)
        pattern_add_cause(m, mistake);
    else if (!whole && !w.transposed)
        value_pattern_describe(&(struct wrong_values){TYPE_I32, expected, got, facts, rows, cols,
                                                      pattern_row(&k->out), false},
                               m);
    free(facts);
    if (!whole)
        row_order_describe(pattern_row(&k->out), rows, cols * sizeof *got, expected, got, m);
    const size_t first = (size_t)m->row * cols + (size_t)m->col;
    snprintf(m->expected, sizeof m->expected, "%d", (int)expected[first]);
    snprintf(m->got, sizeof m->got, "%d", (int)got[first]);
    return m->wrong;
}
