#include "report/weak_rows.h"

#include <stdlib.h>

#include "base/strbuf.h"
#include "model/weak.h"
#include "report/cells.h"
#include "report/score.h"
#include "report/text.h"

static const struct case_result *result_at(const struct run *r, const struct unit_result *u,
                                           struct shape s, struct launch l)
{
    for (unsigned i = 0; i < u->cases_count; i++) {
        const struct case_result *c = &u->cases[i];
        if (c->case_index < (int)r->cases.count && launch_equal(c->launch, l) && score_timed(c) &&
            !c->oversubscribed && shape_equal(r->cases.item[c->case_index].shape, s))
            return c;
    }
    return NULL;
}

static int by_workers(const void *a, const void *b)
{
    const struct launch x = ((const struct weak_row *)a)->result->launch,
                        y = ((const struct weak_row *)b)->result->launch;
    const int more = launch_workers(x) - launch_workers(y);
    return more ? more : launch_nodes(x) - launch_nodes(y);
}

/* One size of a unit under all of its launches. */
static size_t add_size(const struct run *r, const struct unit_result *u, int unit, unsigned base,
                       struct weak_row *row)
{
    const struct assignment *a = r->assignment;
    const struct tier *t = &a->tiers[r->plan->units[unit].tier];
    size_t n = 0;
    for (unsigned i = 0; i < tier_launch_count(t); i++) {
        const struct launch l = tier_launch(t, i);
        const struct shape s = weak_size(a, t, base, l);
        const struct case_result *c = result_at(r, u, s, l);
        if (c)
            row[n++] = (struct weak_row){.unit = unit,
                                         .base = base,
                                         .result = c,
                                         .shape = s,
                                         .work = kernel_work(t->kernel, s) / launch_workers(l)};
    }
    qsort(row, n, sizeof *row, by_workers);
    for (size_t i = 0; i < n; i++)
        row[i].efficiency = i ? stats_scaled(stats_over(row->result->estimate.seconds,
                                                        row[i].result->estimate.seconds),
                                             row[i].work / row->work)
                              : (struct interval){1, 1, 1, row->result->estimate.seconds.n, false};
    return n;
}

size_t weak_rows(const struct run *r, const struct results *res, int submission,
                 struct weak_row **rows)
{
    const struct unit_range of = plan_units_of(r->plan, submission);
    size_t n = 0;
    *rows = NULL;
    for (unsigned u = of.first; u < of.end && !r->plan->sweep; u++) {
        const struct unit *unit = &r->plan->units[u];
        const struct tier *t = &r->assignment->tiers[unit->tier];
        const struct unit_result *result = res->unit[u];
        if (!result || result->verdict != VERDICT_PASS)
            continue;
        for (unsigned b = 0; b < t->weak_count; b++) {
            *rows = xrealloc_array(*rows, n + tier_launch_count(t) + 1, sizeof **rows);
            n += add_size(r, result, (int)u, b, *rows + n);
        }
    }
    return n;
}

struct term_table *weak_table(const struct run *r, const struct results *res, int submission)
{
    static const struct term_column columns[] = {
        {"submission", TERM_LEFT}, {"tier", TERM_LEFT},  {"launch", TERM_LEFT},
        {"size", TERM_RIGHT},      {"time", TERM_RIGHT}, {"scaled efficiency", TERM_RIGHT}};
    const unsigned skip = submission >= 0; /* whose it is, is known */
    struct term_table *t = term_table_new(
        "Weak scaling: rate of one worker over that with the fewest, as the size grows");
    OWNED struct weak_row *rows = NULL;
    const size_t n = weak_rows(r, res, submission, &rows);
    term_table_columns(t, columns + skip, sizeof columns / sizeof columns[0] - skip);
    for (size_t i = 0; i < n; i++) {
        const struct weak_row *x = &rows[i];
        const unsigned unit = (unsigned)x->unit;
        if (!skip)
            cell_text(t, text_submission(r, unit));
        cell_text(t, text_tier(r, unit));
        cell_launch(t, &r->assignment->tiers[r->plan->units[unit].tier], x->result->launch);
        cell_size(t, x->shape);
        cell_seconds(t, x->result->estimate.seconds.value, x->result->estimate.seconds);
        cell_share(t, x->efficiency.value, x->efficiency);
        term_table_end_row(t);
    }
    return t;
}
