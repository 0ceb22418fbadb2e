#include "report/versus.h"

#include <math.h>
#include <string.h>

#include "base/strbuf.h"
#include "report/cells.h"

/* The unit that a unit is compared with, or -1. */
static int other_unit(const struct run *r, const struct versus *v, unsigned unit)
{
    const struct plan *p = r->plan;
    const int submission = v->reference ? plan_reference(p) : p->units[unit].submission;
    return plan_unit_of(p, submission, v->other);
}

/* The fastest launch at the size of a case. */
static const struct case_result *fastest(const struct unit_result *u, int case_index)
{
    const struct case_result *best = NULL;
    for (unsigned i = 0; u && i < u->cases_count; i++) {
        const struct case_result *c = &u->cases[i];
        if (c->case_index == case_index && score_timed(c) &&
            (!best || c->estimate.seconds.value < best->estimate.seconds.value))
            best = c;
    }
    return best;
}

/* What a case is compared with: see docs/studies.md. */
static const struct case_result *other_case(const struct assignment *a, const struct versus *v,
                                            const struct unit_result *u,
                                            const struct case_result *mine)
{
    return versus_same_launch(a, v) ? score_find(u, mine->case_index, mine->launch)
                                    : fastest(u, mine->case_index);
}

/* Seconds of a call, with copies if there are any. */
static double whole_seconds(const struct case_result *c)
{
    return c->estimate.end_to_end.n ? c->estimate.end_to_end.value : c->estimate.seconds.value;
}

static struct versus_row compare(const struct run *r, const struct versus *v, struct case_of c,
                                 struct case_of o)
{
    const struct assignment *a = r->assignment;
    const struct case_result *mine = c.result, *other = o.result;
    const bool same_yardstick =
        strcmp(tier_yardstick(a, &a->tiers[v->tier]), tier_yardstick(a, &a->tiers[v->other])) == 0;
    const bool copies = mine->estimate.end_to_end.n || other->estimate.end_to_end.n;
    return (struct versus_row){
        .pair = v,
        .mine = mine,
        .other = other,
        .shape = r->cases.item[mine->case_index].shape,
        .ratio = same_yardstick ? score_over(c, o)
                                : stats_over(other->estimate.seconds, mine->estimate.seconds),
        .end_to_end = copies ? whole_seconds(other) / whole_seconds(mine) : (double)NAN,
    };
}

struct row_list {
    struct versus_row *row;
    size_t count;
};

static void add_unit(const struct run *r, const struct results *res, const struct versus *v,
                     unsigned unit, struct row_list *l)
{
    const struct unit_result *mine = res->unit[unit];
    if (r->plan->units[unit].tier != v->tier || !mine)
        return;
    const int o = other_unit(r, v, unit);
    if (o < 0)
        return;
    for (unsigned i = 0; i < mine->cases_count; i++) {
        const struct case_result *c = &mine->cases[i];
        if (c->case_index >= (int)r->cases.count || !score_timed(c))
            continue;
        const struct case_result *other = other_case(r->assignment, v, res->unit[o], c);
        if (!other)
            continue;
        l->row = list_one_more(l->row, l->count, sizeof *l->row);
        l->row[l->count] =
            compare(r, v, (struct case_of){mine, c}, (struct case_of){res->unit[o], other});
        l->row[l->count].unit = (int)unit;
        l->row[l->count++].other_unit = o;
    }
}

size_t versus_rows(const struct run *r, const struct results *res, int submission,
                   struct versus_row **rows)
{
    const struct unit_range of = plan_units_of(r->plan, submission);
    struct row_list l = {NULL, 0};
    for (unsigned i = 0; i < r->assignment->versus_count && !r->plan->sweep; i++)
        for (unsigned u = of.first; u < of.end; u++)
            add_unit(r, res, &r->assignment->versus[i], u, &l);
    *rows = l.row;
    return l.count;
}

/* --- for people ------------------------------------------------------------------------------- */

/* "naive" and "reference:blas" as in the assignment; for a student "Naive", "BLAS of the
 * reference". The caller frees it. */
static char *other_text(const struct run *r, const struct versus *v, bool titles)
{
    return titles ? xasprintf("%s%s", r->assignment->tiers[v->other].title,
                              v->reference ? " of the reference" : "")
                  : versus_name(r, v);
}

static void add_row(const struct run *r, const struct versus_row *x, bool student,
                    struct term_table *t)
{
    const struct assignment *a = r->assignment;
    const struct tier *tier = &a->tiers[x->pair->tier];
    OWNED char *other = other_text(r, x->pair, student);
    if (!student)
        cell_text(t, text_submission(r, (unsigned)x->unit));
    cell_text(t, student ? tier->title : tier->name);
    cell_text(t, other);
    cell_launch(t, tier, x->mine->launch);
    if (launch_equal(x->mine->launch, x->other->launch))
        cell_text(t, "");
    else
        cell_launch(t, &a->tiers[x->pair->other], x->other->launch);
    cell_size(t, x->shape);
    cell_interval(t, TERM_PLAIN, x->ratio);
    cell_number(t, x->end_to_end);
    term_table_end_row(t);
}

struct term_table *versus_table(const struct run *r, const struct results *res, int submission,
                                bool *rough)
{
    static const struct term_column columns[] = {
        {"tier", TERM_LEFT},         {"compared with", TERM_LEFT}, {"launch", TERM_LEFT},
        {"other launch", TERM_LEFT}, {"size", TERM_RIGHT},         {"ratio", TERM_RIGHT},
        {"with copies", TERM_RIGHT}};
    OWNED struct versus_row *rows = NULL;
    const size_t n = versus_rows(r, res, submission, &rows);
    struct term_table *t = term_table_new("Compared: how many times as fast as another tier");
    if (submission < 0)
        term_table_column(t, "submission", TERM_LEFT);
    term_table_columns(t, columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < n; i++) {
        add_row(r, &rows[i], submission >= 0, t);
        if (rough && text_is_rough(rows[i].ratio))
            *rough = true;
    }
    return t;
}

char *versus_name(const struct run *r, const struct versus *v)
{
    return xasprintf("%s%s", v->reference ? "reference:" : "", r->assignment->tiers[v->other].name);
}
