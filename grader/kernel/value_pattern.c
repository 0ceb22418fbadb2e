#include "kernel/value_pattern.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "kernel/low_bits.h"
#include "kernel/pattern.h"

/* Fewer elements may have something in common by chance. */
enum { FACTOR_LEAST = 3, MOVED_LEAST = 4, OFF_LEAST = 4, SUMS_LEAST = 3, SIDE_LEAST = 16 };

enum { WRAPPED_MOST = 8 };

/* Errors of a double that went through a float, beside the largest right value. */
#define FLOAT_ERROR_MOST 1e-5
#define FLOAT_ERROR_LEAST 1e-10

/* Of all wrong elements. */
struct known {
    size_t wrong, first;    /* how many; the first one */
    size_t larger, smaller; /* than the right value, and not by rounding */
    bool same;              /* they hold one number */
    size_t most;            /* has the largest right value */
    bool differ;            /* their right values do */
    double largest, off;    /* the largest right value of all elements; the largest error */
    bool as_float;          /* a float holds each of them, and not all of the right values */
};

static double want(const struct wrong_values *v, size_t i)
{
    return element_real(v->type, v->expected, i);
}

static double have(const struct wrong_values *v, size_t i)
{
    return element_real(v->type, v->got, i);
}

/* What rounding may change, in parts of a number. */
static double roundoff(const struct wrong_values *v)
{
    return !type_is_real(v->type) ? 0 : v->type == TYPE_F32 ? 1e-5 : 1e-9;
}

static bool is_float(double x)
{
    return (double)(float)x == x;
}

static bool look(const struct wrong_values *v, struct known *k)
{
    size_t floats = 0, right_floats = 0;
    *k = (struct known){.same = true};
    for (size_t i = 0; i < v->rows * v->cols; i++) {
        const double right = want(v, i), off = have(v, i) - right;
        k->largest = fmax(k->largest, fabs(right));
        if (!(v->facts[i] & ELEMENT_WRONG))
            continue;
        if (v->facts[i] & (ELEMENT_UNTOUCHED | ELEMENT_ADDED_TO) || !isfinite(off))
            return false;
        if (!k->wrong++)
            k->first = k->most = i;
        k->same = k->same && have(v, i) == have(v, k->first);
        k->differ = k->differ || right != want(v, k->first);
        k->larger += off > 1e3 * roundoff(v) * fabs(right);
        k->smaller += -off > 1e3 * roundoff(v) * fabs(right);
        k->most = fabs(right) > fabs(want(v, k->most)) ? i : k->most;
        k->off = fmax(k->off, fabs(off));
        floats += is_float(have(v, i));
        right_floats += is_float(right);
    }
    k->as_float = floats == k->wrong && right_floats < k->wrong;
    return k->wrong > 0;
}

static void add(struct mismatch *m, const char *words)
{
    const size_t used = strlen(m->pattern);
    snprintf(m->pattern + used, sizeof m->pattern - used, "; %s", words);
}

/* One number. Of zeros the pattern tells. */
static bool all_same(const struct wrong_values *v, const struct known *k, struct mismatch *m)
{
    char number[ELEMENT_TEXT], words[ELEMENT_TEXT + 32];
    if (!k->same || k->wrong < 2)
        return false;
    if (have(v, k->first) == 0)
        return true;
    element_text(v->type, v->got, k->first, number);
    snprintf(words, sizeof words, "all of them are %s", number);
    add(m, words);
    return true;
}

/* Are the right values of all wrong elements what rounding leaves of 0, beside the others? */
static bool is_residue(const struct wrong_values *v, const struct known *k)
{
    return fabs(want(v, k->most)) < 1e-3 * roundoff(v) * k->largest;
}

/* Integers that wrap around. */
static bool is_times(const struct wrong_values *v, int factor)
{
    const size_t unused = 64 - 8 * type_bytes(v->type);
    for (size_t i = 0; i < v->rows * v->cols; i++)
        if (v->facts[i] & ELEMENT_WRONG && (low_bits_at(v->got, v->type, i) -
                                            (uint64_t)factor * low_bits_at(v->expected, v->type, i))
                                               << unused)
            return false;
    return true;
}

/* Each of several workers has added the whole result. */
static bool all_wrapped_times(const struct wrong_values *v, const struct known *k,
                              struct mismatch *m)
{
    char words[96];
    int factor = 2;
    if (type_is_real(v->type) || k->wrong < FACTOR_LEAST || !k->differ)
        return false;
    while (factor <= WRAPPED_MOST && !is_times(v, factor))
        factor++;
    if (factor > WRAPPED_MOST)
        return false;
    snprintf(words, sizeof words, "all of them are %d times what they should be", factor);
    add(m, words);
    return true;
}

static bool all_times(const struct wrong_values *v, const struct known *k, struct mismatch *m)
{
    const double right = want(v, k->most), factor = right != 0 ? have(v, k->most) / right : 0;
    const double small = 1e3 * roundoff(v);
    char words[96];
    if (k->wrong < FACTOR_LEAST || !k->differ || factor == 0 || fabs(factor - 1) <= small ||
        is_residue(v, k))
        return false;
    for (size_t i = 0; i < v->rows * v->cols; i++)
        if (v->facts[i] & ELEMENT_WRONG &&
            fabs(have(v, i) - factor * want(v, i)) > small * fabs(factor * right))
            return false;
    if (factor == -1)
        snprintf(words, sizeof words, "all of them have the wrong sign");
    else
        snprintf(words, sizeof words, "all of them are %.6g times what they should be", factor);
    add(m, words);
    return true;
}

/* Does each element hold what belongs `down` rows and `right` columns before it? Most of these must
 * be other numbers than what belongs there. */
static bool is_moved(const struct wrong_values *v, double near, int down, int right)
{
    size_t looked = 0, other = 0;
    for (size_t i = down > 0; i < v->rows - (down < 0); i++)
        for (size_t j = right > 0; j < v->cols - (right < 0); j++) {
            const size_t at = i * v->cols + j;
            const size_t from = (size_t)((long long)at - (long long)v->cols * down - right);
            if (!(fabs(have(v, at) - want(v, from)) <= near))
                return false;
            looked++;
            other += v->facts[at] & ELEMENT_WRONG && fabs(want(v, at) - want(v, from)) > 1e3 * near;
        }
    return looked >= MOVED_LEAST && 2 * other >= looked;
}

static bool all_moved(const struct wrong_values *v, const struct known *k, struct mismatch *m)
{
    static const struct {
        int down, right;
        const char *where;
    } ways[] = {{1, 0, "before"}, {-1, 0, "after"}, {0, 1, "before"}, {0, -1, "after"}};
    const double near = roundoff(v) * fabs(want(v, k->most));
    char words[96];
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        if (!is_moved(v, near, ways[i].down, ways[i].right))
            continue;
        const char *what = ways[i].right ? "column" : v->row;
        snprintf(words, sizeof words, "each %s holds what belongs in the %s %s it", what, what,
                 ways[i].where);
        add(m, words);
        return true;
    }
    return false;
}

/* The errors of one worker are one number: it has added too much to all that it has, or too little.
 */
static void all_off(const struct wrong_values *v, const struct known *k, struct mismatch *m)
{
    const double near = 1e3 * roundoff(v) * fabs(want(v, k->most));
    const double by = have(v, k->first) - want(v, k->first);
    double off = by;
    size_t pieces = 1, end = k->first; /* of the first piece */
    char words[128];
    for (size_t i = k->first; i < v->rows * v->cols; i++) {
        const double here = have(v, i) - want(v, i);
        if (!(v->facts[i] & ELEMENT_WRONG))
            continue;
        if (!(fabs(here) > 10 * near))
            return;
        pieces += fabs(here - off) > near;
        end = pieces == 1 ? i : end;
        off = here;
    }
    if (k->wrong < OFF_LEAST * pieces || (pieces > 1 && v->cols > 1))
        return;
    if (pieces == 1)
        snprintf(words, sizeof words, "all of them are off by %.6g", by);
    else
        snprintf(words, sizeof words, "%zu..%zu are all off by %.6g, those after them by another",
                 k->first, end, by);
    add(m, words);
}

/* The result went through a float, at the end or on the way to it. Cancellation of doubles leaves
 * as few digits. */
static bool few_digits(const struct wrong_values *v, const struct known *k, struct mismatch *m)
{
    char words[128];
    if (v->type != TYPE_F64 || v->rounded || k->off > FLOAT_ERROR_MOST * k->largest ||
        k->off < FLOAT_ERROR_LEAST * k->largest)
        return false;
    if (k->as_float)
        snprintf(words, sizeof words, "%s that a float holds: is there a float inside?",
                 k->wrong == 1 ? "it is a number" : "all of them are numbers");
    else if (k->wrong >= OFF_LEAST)
        snprintf(words, sizeof words,
                 "all of them are right to about %.0f digits: is there a float inside, or a "
                 "difference of large numbers?",
                 -log10(k->off / k->largest));
    else
        return false;
    add(m, words);
    return true;
}

/* A sum that goes on from element to element. in_row: it starts anew in each row. */
static bool is_summed(const struct wrong_values *v, bool in_row)
{
    for (size_t i = 0; i < v->rows * v->cols; i++) {
        const double before = i == 0 || (in_row && i % v->cols == 0) ? 0 : have(v, i - 1);
        const double sum = before + want(v, i), scale = fabs(before) + fabs(want(v, i));
        if (!(fabs(have(v, i) - sum) <= roundoff(v) * scale))
            return false;
    }
    return true;
}

static bool all_summed(const struct wrong_values *v, const struct known *k, struct mismatch *m)
{
    const bool in_row = v->cols > 1 && is_summed(v, true);
    if (k->wrong < SUMS_LEAST || (!in_row && !is_summed(v, false)))
        return false;
    add(m, in_row
               ? "each element is the sum of what belongs in it and in all before it in its "
                 "row: is the sum set to 0 for each element?"
               : "each element is the sum of what belongs in it and in all before it: is the sum "
                 "set to 0 for each element?");
    return true;
}

/* Sums modulo 2^32 and other numbers that are chance would not all be on one side. */
static void all_on_one_side(const struct known *k, struct mismatch *m)
{
    if (k->wrong >= SIDE_LEAST && (k->larger == k->wrong || k->smaller == k->wrong))
        add(m, k->larger ? "all of them are too large" : "all of them are too small");
}

void value_pattern_describe(const struct wrong_values *v, struct mismatch *m)
{
    struct known k;
    const size_t used = strlen(m->pattern);
    if (!look(v, &k) || all_same(v, &k, m) || all_times(v, &k, m) || all_wrapped_times(v, &k, m) ||
        all_moved(v, &k, m) || all_summed(v, &k, m) || few_digits(v, &k, m))
        return;
    all_off(v, &k, m); /* narrow counters are off by one number too */
    if (!type_is_real(v->type))
        low_bits_describe(
            &(struct low_bits){v->type, v->expected, v->got, v->facts, v->rows * v->cols}, m);
    if (strlen(m->pattern) == used)
        all_on_one_side(&k, m);
}
