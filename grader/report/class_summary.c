#include "report/class_summary.h"

#include <stdlib.h>

#include "base/plural.h"
#include "base/stats.h"
#include "base/strbuf.h"
#include "report/cells.h"

enum { NAMED = 8 }; /* names in a row of class_attention() */

static bool is_judged(enum verdict v)
{
    return v != VERDICT_MISSING && v != VERDICT_SKIPPED && v != VERDICT_INFRA_ERROR;
}

bool class_was_judged(const struct unit_result *u)
{
    return u && is_judged(u->verdict);
}

/* Where a tier is skipped, the verdict does not tell. The plan does, but it does not know sources
 * that are still those of `start`. */
static bool handed_in(const struct run *r, const struct results *res, unsigned unit)
{
    const struct unit_result *u = res->unit[unit];
    return class_was_judged(u) ||
           (r->plan->units[unit].source && !(u && u->verdict == VERDICT_MISSING));
}

static bool is_students(const struct plan *p, unsigned unit)
{
    return !p->submissions[p->units[unit].submission].is_reference;
}

static bool has_students(const struct plan *p)
{
    bool any = false;
    for (unsigned i = 0; i < p->submissions_count; i++)
        any = any || !p->submissions[i].is_reference;
    return any;
}

/* The most usual verdict, of those on the student's work or of the others; VERDICT_PASS: none. */
static enum verdict most_usual(const unsigned *count, bool judged)
{
    enum verdict most = VERDICT_PASS;
    for (int v = 0; v < VERDICT_COUNT; v++)
        if (v != VERDICT_PASS && is_judged((enum verdict)v) == judged && count[v] &&
            (most == VERDICT_PASS || count[v] > count[most]))
            most = (enum verdict)v;
    return most;
}

static void add_tier(const struct run *r, const struct results *res, unsigned tier,
                     struct term_table *t)
{
    unsigned count[VERDICT_COUNT] = {0}, in = 0;
    for (unsigned u = 0; u < r->plan->units_count; u++) {
        const struct unit_result *x = res->unit[u];
        if (r->plan->units[u].tier != (int)tier || !is_students(r->plan, u) ||
            !handed_in(r, res, u))
            continue;
        in++;
        if (x)
            count[x->verdict]++;
    }
    enum verdict worst = most_usual(count, true);
    if (worst == VERDICT_PASS)
        worst = most_usual(count, false);
    cell_text(t, r->assignment->tiers[tier].name);
    cell_count(t, in);
    cell_count(t, count[VERDICT_PASS]);
    if (worst == VERDICT_PASS)
        cell_text(t, "");
    else
        term_table_cell(t, text_verdict_style(worst), "%u %s", count[worst], verdict_name(worst));
}

struct term_table *class_tiers(const struct run *r, const struct results *res)
{
    static const struct term_column columns[] = {{"tier", TERM_LEFT},
                                                 {"handed in", TERM_RIGHT},
                                                 {"passed", TERM_RIGHT},
                                                 {"most usual failure", TERM_LEFT}};
    struct term_table *t = term_table_new("Tiers");
    term_table_columns(t, columns, sizeof columns / sizeof columns[0]);
    for (unsigned i = 0; i < r->assignment->tiers_count; i++)
        if (has_students(r->plan) && plan_has_tier(r->plan, (int)i))
            add_tier(r, res, i, t);
    return t;
}

struct term_table *class_points(const struct run *r, const struct scoreboard *b)
{
    static const struct term_column columns[] = {
        {"submissions", TERM_RIGHT}, {"lowest", TERM_RIGHT},         {"a quarter", TERM_RIGHT},
        {"median", TERM_RIGHT},      {"three quarters", TERM_RIGHT}, {"highest", TERM_RIGHT},
        {"of", TERM_RIGHT}};
    const struct plan *p = r->plan;
    double *points = xcalloc(p->submissions_count + 1, sizeof *points), most = 0;
    size_t n = 0;
    struct term_table *t = term_table_new("Points");
    term_table_columns(t, columns, sizeof columns / sizeof columns[0]);
    for (unsigned s = 0; s < p->submissions_count; s++) {
        if (p->submissions[s].is_reference || !(b->submission[s].max_points > 0))
            continue;
        points[n++] = b->submission[s].points;
        most = b->submission[s].max_points > most ? b->submission[s].max_points : most;
    }
    if (n && most > 0 && !subset_is_part(&p->only)) {
        char text[TEXT_MOST];
        cell_count(t, n);
        for (int quarter = 0; quarter <= 4; quarter++) {
            text_points(stats_quantile(points, n, quarter / 4.0), most, text);
            cell_text(t, text);
        }
        text_points_most(most, text);
        cell_text(t, text);
    }
    free(points);
    return t;
}

/* --- what to look at -------------------------------------------------------------------------- */

struct names {
    struct strbuf text;
    unsigned count;
};

static void add_name(struct names *n, const char *name)
{
    if (n->count++ < NAMED)
        strbuf_addf(&n->text, "%s%s", n->text.len ? ", " : "", name);
}

/* Frees the names. */
static void end_row(struct names *n, const char *what, struct term_table *t)
{
    if (n->count) {
        term_table_cell(t, TERM_YELLOW, "%s", what);
        cell_count(t, n->count);
        term_table_cell(t, TERM_PLAIN, "%s%s", n->text.len ? n->text.s : "",
                        n->count > NAMED ? ", ..." : "");
    }
    strbuf_free(&n->text);
    *n = (struct names){STRBUF_INIT, 0};
}

static bool handed_in_nothing(const struct run *r, const struct results *res, unsigned submission)
{
    const struct unit_range of = plan_units_of(r->plan, (int)submission);
    for (unsigned u = of.first; u < of.end; u++)
        if (handed_in(r, res, u))
            return false;
    return of.end > of.first;
}

bool class_undecided(const struct results *res, const struct scoreboard *b, unsigned unit)
{
    const struct unit_result *u = res->unit[unit];
    return !u || u->verdict == VERDICT_INFRA_ERROR || b->unit[unit].not_gradable;
}

static void add_units(const struct run *r, const struct results *res, const struct scoreboard *b,
                      struct term_table *t)
{
    struct names flagged = {STRBUF_INIT, 0}, undecided = {STRBUF_INIT, 0};
    for (unsigned u = 0; u < r->plan->units_count; u++) {
        if (!is_students(r->plan, u))
            continue;
        if (res->unit[u] && res->unit[u]->attested == ATTESTED_NO)
            add_name(&flagged, r->plan->units[u].id);
        if (class_undecided(res, b, u))
            add_name(&undecided, r->plan->units[u].id);
    }
    end_row(&flagged, "flagged", t);
    end_row(&undecided, "undecided", t);
}

static void add_decisions(const struct run *r, struct term_table *t)
{
    struct names decided = {STRBUF_INIT, 0};
    for (size_t i = 0; i < r->overrides.count; i++) {
        const struct override *o = &r->overrides.item[i];
        add_name(&decided, o->unit >= 0 ? r->plan->units[o->unit].id
                                        : r->plan->submissions[o->submission].id);
    }
    end_row(&decided, "decided by a person", t);
}

struct term_table *class_attention(const struct run *r, const struct results *res,
                                   const struct scoreboard *b, size_t similar)
{
    static const struct term_column columns[] = {
        {"what", TERM_LEFT}, {"how many", TERM_RIGHT}, {"who", TERM_NOTE}};
    struct term_table *t = term_table_new("To look at");
    struct names nothing = {STRBUF_INIT, 0}, late = {STRBUF_INIT, 0};
    term_table_columns(t, columns, sizeof columns / sizeof columns[0]);
    for (unsigned s = 0; s < r->plan->submissions_count; s++) {
        if (r->plan->submissions[s].is_reference)
            continue;
        if (handed_in_nothing(r, res, s))
            add_name(&nothing, r->plan->submissions[s].id);
        if (b->submission[s].late_s)
            add_name(&late, r->plan->submissions[s].id);
    }
    end_row(&nothing, "handed in nothing", t);
    end_row(&late, "late", t);
    add_units(r, res, b, t);
    add_decisions(r, t);
    if (similar) {
        term_table_cell(t, TERM_YELLOW, "similar sources");
        cell_count(t, similar);
        term_table_cell(t, TERM_PLAIN,
                        "%s of units (similarity.csv has the lines); read both before you draw a "
                        "conclusion",
                        plural(similar, "pair", "pairs"));
    }
    return t;
}
