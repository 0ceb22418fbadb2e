/* The pairs of submissions whose sources resemble each other: a row for two students, however many
 * tiers they share. */
#include "base/strbuf.h"
#include "base/term.h"
#include "report/class_tables.h"
#include "report/text.h"

static bool same_pair(const struct run *r, const struct similar_row *x, const struct similar_row *y)
{
    const struct unit *of = r->plan->units;
    return of[x->unit[0]].submission == of[y->unit[0]].submission &&
           of[x->unit[1]].submission == of[y->unit[1]].submission;
}

static double larger_share(const struct similar_row *x)
{
    return x->share[0] > x->share[1] ? x->share[0] : x->share[1];
}

/* "simd identical, openmp parts 83%": the tiers of the pair of row `first`. */
static void add_pair(const struct run *r, const struct similar_list *l, size_t first,
                     struct term_table *t)
{
    FREED_BY(strbuf_free) struct strbuf tiers = STRBUF_INIT;
    unsigned tokens = 0;
    for (size_t i = first; i < l->count; i++) {
        const struct similar_row *x = &l->row[i];
        if (!same_pair(r, x, &l->row[first]))
            continue;
        tokens += x->tokens;
        strbuf_addf(&tiers, "%s%s %s", tiers.len ? ", " : "", text_tier(r, (unsigned)x->unit[0]),
                    similarity_kind_name(x->kind));
        if (x->kind != SIMILAR_IDENTICAL)
            strbuf_addf(&tiers, " %.0f%%", 100 * larger_share(x));
    }
    term_table_cell(t, TERM_PLAIN, "%s", text_submission(r, (unsigned)l->row[first].unit[0]));
    term_table_cell(t, TERM_PLAIN, "%s", text_submission(r, (unsigned)l->row[first].unit[1]));
    term_table_cell(t, TERM_PLAIN, "%u", tokens);
    term_table_value(t, tokens);
    term_table_cell(t, TERM_PLAIN, "%s", tiers.s);
    term_table_end_row(t);
}

struct term_table *class_similar(const struct run *r, const struct similar_list *l)
{
    static const struct term_column columns[] = {{"submission", TERM_LEFT},
                                                 {"other", TERM_LEFT},
                                                 {"tokens in common", TERM_RIGHT},
                                                 {"tiers", TERM_NOTE}};
    struct term_table *t = term_table_new("Similar sources (similarity.csv has the lines)");
    term_table_columns(t, columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < l->count; i++) {
        bool told = false;
        for (size_t k = 0; k < i && !told; k++)
            told = same_pair(r, &l->row[i], &l->row[k]);
        if (!told)
            add_pair(r, l, i, t);
    }
    return t;
}
