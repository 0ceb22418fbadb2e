/* generator_read.c - generators as words. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/parse.h"
#include "base/similar.h"
#include "base/strbuf.h"
#include "kernel/generator.h"

enum { INTEGERS = 1, CHANGES = 2, WIDE = 4, BOUNDED = 8, SQUARE = 16, REALS = 32, ORDERED = 64 };

static const struct {
    const char *name, *how;
    int least, most; /* numbers */
    /* INTEGERS: no floats; CHANGES: another generator follows; WIDE: 32 bits; BOUNDED: a dimension
     * comes first; SQUARE: of a square matrix; REALS: floats only; ORDERED: not complex */
    unsigned demands;
} rows[] = {
    [GENERATE_WHOLE] = {"whole", "whole [BITS]", 0, 1, 0},
    [GENERATE_UNIFORM] = {"uniform", "uniform LOW HIGH", 2, 2, 0},
    [GENERATE_FULL] = {"full", "full", 0, 0, INTEGERS},
    [GENERATE_CONSTANT] = {"constant", "constant NUMBER", 1, 1, 0},
    [GENERATE_CHOICE] = {"choice", "choice NUMBER NUMBER ...", 2, GENERATOR_NUMBERS, 0},
    [GENERATE_PERMUTATION] = {"permutation", "permutation", 0, 0, WIDE},
    [GENERATE_DISTINCT] = {"distinct", "distinct", 0, 0, WIDE},
    [GENERATE_BELOW] = {"below", "below DIMENSION", 0, 0, WIDE | BOUNDED},
    [GENERATE_COUNT] = {"count", "count DIMENSION [START]", 0, 1, WIDE | BOUNDED},
    [GENERATE_CALL] = {"call", "call", 0, 0, 0},
    [GENERATE_OFFSETS] = {"offsets", "offsets DIMENSION", 0, 0, WIDE | BOUNDED},
    [GENERATE_SYMMETRIC] = {"symmetric", "symmetric GENERATOR", 0, 0, CHANGES | SQUARE},
    [GENERATE_LOWER] = {"lower", "lower GENERATOR", 0, 0, CHANGES | SQUARE},
    [GENERATE_DOMINANT] = {"dominant", "dominant GENERATOR", 0, 0, CHANGES | SQUARE | REALS},
    [GENERATE_SPARSE] = {"sparse", "sparse SHARE GENERATOR", 1, 1, CHANGES},
    [GENERATE_FEW] = {"few", "few COUNT GENERATOR", 1, 1, CHANGES},
    [GENERATE_PLANT] = {"plant", "plant NUMBER SHARE GENERATOR", 2, 2, CHANGES},
    [GENERATE_SORTED] = {"sorted", "sorted GENERATOR", 0, 0, CHANGES | ORDERED},
    [GENERATE_REVERSED] = {"reversed", "reversed GENERATOR", 0, 0, CHANGES | ORDERED},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

static int no_such_generator(const char *word, struct err *e)
{
    FREED_BY(strbuf_free) struct strbuf known = STRBUF_INIT;
    const char *meant = NULL;
    unsigned least = UINT32_MAX;
    for (int i = 0; i < ROWS; i++) {
        strbuf_addf(&known, "%s%s", i ? "; " : "", rows[i].how);
        if (similar_more(word, rows[i].name, &least))
            meant = rows[i].name;
    }
    if (meant)
        err_input(e, "'%.30s' is no generator; did you mean '%s'?", word, meant);
    else
        err_input(e, "'%.30s' is no generator; there are: %s", word, known.s);
    return -1;
}

static bool fits(double v, enum element_type t)
{
    if (type_is_rounded(t))
        return true;
    if (t == TYPE_BOOL)
        return v == 0 || v == 1;
    const double bits = 8.0 * (double)type_bytes(t);
    const double most = type_is_signed(t) ? exp2(bits - 1) : exp2(bits);
    return v == floor(v) && v < most && v >= (type_is_signed(t) ? -most : 0);
}

/* Numbers that the generator does not take as they are: bits, shares, counts. */
static int check_numbers(const struct generator *g, enum element_type t, struct err *e)
{
    const double *v = g->number;
    const int share = g->kind == GENERATE_SPARSE ? 0 : g->kind == GENERATE_PLANT ? 1 : -1;
    const bool count = g->kind == GENERATE_WHOLE || g->kind == GENERATE_FEW;
    const double most = g->kind == GENERATE_WHOLE ? 31 : 1e6;
    for (int i = 0; i < g->numbers; i++) {
        if (i == share && !(v[i] >= 0 && v[i] <= 1))
            return err_input(e, "'%s': a share is between 0 and 1, not %g", rows[g->kind].how,
                             v[i]);
        if (count && (v[i] < 1 || v[i] > most || v[i] != floor(v[i])))
            return err_input(e, "'%s': expected a whole number from 1 to %g, not %g",
                             rows[g->kind].how, most, v[i]);
        if (i != share && !count && !fits(v[i], t))
            return err_input(e, "'%s': %g is no %s", rows[g->kind].how, v[i], type_in_c(t));
    }
    if (g->kind == GENERATE_COUNT && v[0] < 0)
        return err_input(e, "'count DIMENSION [START]': %g is negative", v[0]);
    if (g->kind == GENERATE_UNIFORM && !(v[0] < v[1]))
        return err_input(e, "'uniform LOW HIGH': %g is not below %g", v[0], v[1]);
    return 0;
}

static int check(const struct generator *g, const struct generator_site *site, struct err *e)
{
    const enum element_type t = site->type;
    if (g->numbers < rows[g->kind].least)
        return err_input(e, "'%s' needs %d %s; it is written: %s", rows[g->kind].name,
                         rows[g->kind].least, rows[g->kind].least == 1 ? "number" : "numbers",
                         rows[g->kind].how);
    if (rows[g->kind].demands & (SQUARE | ORDERED) && type_is_complex(t))
        return err_input(e, "'%s' is not for complex elements, and these are %s",
                         rows[g->kind].name, type_in_c(t));
    if (rows[g->kind].demands & INTEGERS && type_is_rounded(t))
        return err_input(e, "'%s' makes integers, and the elements are %s", rows[g->kind].name,
                         type_in_c(t));
    if (rows[g->kind].demands & WIDE && type_bytes(t) < 4)
        return err_input(e, "'%s' needs elements of 32 bits, and these are %s", rows[g->kind].name,
                         type_in_c(t));
    if (rows[g->kind].demands & REALS && !type_is_real(t))
        return err_input(e, "'%s' needs elements of float or double, and these are %s",
                         rows[g->kind].name, type_in_c(t));
    if (rows[g->kind].demands & SQUARE && !site->square)
        return err_input(e, "'%s' makes a square matrix: size: [n, n]", rows[g->kind].name);
    return check_numbers(g, t, e);
}

/* The word that comes next, in `word`. False at the end of the text. */
static bool next_word(const char **at, char *word, size_t cap)
{
    *at += strspn(*at, " ");
    const size_t n = strcspn(*at, " ");
    snprintf(word, cap, "%.*s", (int)n, *at);
    *at += n;
    return n > 0;
}

static int read_dimension(const char **at, const struct generator_site *site, struct generator *g,
                          struct err *e)
{
    FREED_BY(strbuf_free) struct strbuf known = STRBUF_INIT;
    char word[64];
    const bool any = next_word(at, word, sizeof word);
    g->dimension = -1;
    for (int i = 0; i < site->dims; i++) {
        strbuf_addf(&known, "%s%s", i ? ", " : "", site->dim[i]);
        if (any && strcmp(site->dim[i], word) == 0)
            g->dimension = i;
    }
    if (g->dimension < 0)
        err_input(e, "'%s': '%.30s' is no dimension; there are: %s", rows[g->kind].how, word,
                  known.s);
    return g->dimension < 0 ? -1 : 0;
}

/* One generator with its numbers. */
static int read_one(const char **at, const struct generator_site *site, struct generator *g,
                    struct err *e)
{
    char word[64];
    int kind = 0;
    if (!next_word(at, word, sizeof word))
        return err_input(e, "a generator is missing; for example: uniform -1 1");
    while (kind < ROWS && strcmp(rows[kind].name, word) != 0)
        kind++;
    if (kind == ROWS)
        return no_such_generator(word, e);
    *g = (struct generator){.kind = (enum generator_kind)kind};
    if (rows[kind].demands & BOUNDED && read_dimension(at, site, g, e) != 0)
        return -1;
    for (const char *before = *at; next_word(at, word, sizeof word); before = *at) {
        if (g->numbers == rows[kind].most ||
            parse_double(word, -1e300, 1e300, &g->number[g->numbers], NULL) != 0) {
            *at = before;
            break;
        }
        g->numbers++;
    }
    return check(g, site, e);
}

int generators_read(const char *text, const struct generator_site *site, struct generators *g,
                    struct err *e)
{
    struct generator item[GENERATOR_MOST] = {{0}};
    int n = 0;
    const char *at = text;
    *g = (struct generators){0};
    do {
        if (n == GENERATOR_MOST)
            return err_input(e, "more than %d generators follow each other", GENERATOR_MOST);
        if (read_one(&at, site, &item[n], e) != 0)
            return -1;
    } while (rows[item[n++].kind].demands & CHANGES);
    at += strspn(at, " ");
    if (*at)
        return err_input(e, "after '%s', nothing is expected, not '%.30s'",
                         rows[item[n - 1].kind].how, at);
    if (n > 1 && item[n - 1].kind == GENERATE_CALL)
        return err_input(e, "'call' stands alone: the function makes the values as they should be");
    g->count = n;
    for (int i = 0; i < n; i++)
        g->item[i] = item[n - 1 - i];
    return 0;
}

bool generators_are_whole(const struct generators *g, enum element_type type)
{
    if (!type_is_rounded(type))
        return true;
    for (int i = 0; i < g->count; i++) {
        const struct generator *x = &g->item[i];
        const int values = x->kind == GENERATE_CONSTANT || x->kind == GENERATE_CHOICE ? x->numbers
                           : x->kind == GENERATE_PLANT                                ? 1
                                                                                      : 0;
        if (x->kind == GENERATE_UNIFORM)
            return false;
        for (int k = 0; k < values; k++)
            if (x->number[k] != floor(x->number[k]))
                return false;
    }
    return true;
}
