#include "pages/standing.h"

#include <math.h>
#include <stdlib.h>

#include "base/strbuf.h"
#include "report/cells.h"
#include "report/class_summary.h"

int standing_band(double points, double most)
{
    if (!(most > 0))
        return -1;
    const double share = points / most;
    return share >= 1 ? STANDING_BANDS - 1 : share > 0 ? (int)(share * STANDING_BANDS) : 0;
}

static void add_bar(struct term_table *t, unsigned n, unsigned of)
{
    enum { BAR = 20 };
    FREED_BY(strbuf_free) struct strbuf bar = STRBUF_INIT;
    for (unsigned i = 0; of && i < (BAR * n + of - 1) / of; i++)
        strbuf_adds(&bar, "\u2588");
    cell_text(t, bar.len ? bar.s : "");
}

struct term_table *standing_bands(const struct standing *st, int here)
{
    static const struct term_column columns[] = {{"share of the points", TERM_LEFT},
                                                 {"submissions", TERM_RIGHT},
                                                 {"distribution", TERM_LEFT},
                                                 {"you", TERM_LEFT}};
    struct term_table *t = term_table_new("Points of the class");
    term_table_columns(t, columns, sizeof columns / sizeof columns[0]);
    for (int i = 0; i < STANDING_BANDS; i++) {
        term_table_cell(t, TERM_PLAIN, "%d to %d %%", i * 100 / STANDING_BANDS,
                        (i + 1) * 100 / STANDING_BANDS);
        cell_count(t, st->band[i]);
        add_bar(t, st->band[i], st->submissions);
        cell_text(t, i == here ? "here" : "");
        term_table_end_row(t);
    }
    return t;
}

bool standing_is_anonymous(const struct standing *st)
{
    return st->submissions >= STANDING_LEAST;
}

static double one_digit(double v)
{
    const double digit = pow(10, floor(log10(v)));
    return round(v / digit) * digit;
}

static void tier_make(const struct source *s, bool sized, struct shape size,
                      struct standing_tier *t)
{
    const struct plan *p = s->run->plan;
    OWNED double *speed = xcalloc(p->submissions_count + 1, sizeof *speed);
    size_t n = 0;
    for (unsigned i = 0; i < p->submissions_count; i++) {
        const int unit = plan_unit_of(s->run->plan, (int)i, (int)t->tier);
        if (p->submissions[i].is_reference || !class_was_judged(find_result(s, unit)))
            continue;
        t->handed_in++;
        t->passed += find_passed(s, unit);
        const struct speed *x =
            sized && find_passed(s, unit) ? score_fastest(s->board, unit, size) : NULL;
        if (x && isfinite(x->speedup.value) && x->speedup.value > 0)
            speed[n++] = x->speedup.value;
    }
    t->low = t->high = (double)NAN;
    if (n >= STANDING_LEAST) {
        t->low = one_digit(stats_quantile(speed, n, 0.25));
        t->high = one_digit(stats_quantile(speed, n, 0.75));
    }
}

void standing_make(const struct source *s, struct standing *st)
{
    const struct run *r = s->run;
    *st = (struct standing){0};
    const bool sized = find_ladder_size(s, -1, &st->size);
    for (unsigned i = 0; i < r->plan->submissions_count; i++) {
        if (r->plan->submissions[i].is_reference)
            continue;
        const struct submission_score *x = &s->board->submission[i];
        st->submissions++;
        const int band = standing_band(x->points, x->max_points);
        if (band >= 0)
            st->band[band]++;
    }
    st->tier = xcalloc(r->assignment->tiers_count + 1, sizeof *st->tier);
    for (unsigned t = 0; t < r->assignment->tiers_count; t++)
        if (plan_has_tier(s->run->plan, (int)t)) {
            st->tier[st->tiers].tier = t;
            tier_make(s, sized, st->size, &st->tier[st->tiers++]);
        }
}

void standing_free(struct standing *st)
{
    free(st->tier);
    *st = (struct standing){0};
}
