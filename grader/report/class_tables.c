#include "report/class_tables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "report/cells.h"
#include "report/class_summary.h"
#include "report/feedback.h"
#include "report/roofline.h"
#include "report/smallest.h"

/* On a page, the points stand before the tiers: they are seen there without scrolling. */
static void add_verdict_columns(const struct run *r, bool page, struct term_table *t)
{
    /* "of" is nearly always the same, and stands in the table of points, too. */
    static const struct term_column points[] = {{"points", TERM_RIGHT}, {"of", TERM_SPARE}},
                                    more[] = {{"late", TERM_RIGHT},
                                              {"flagged", TERM_RIGHT},
                                              {"undecided", TERM_RIGHT},
                                              {"decided", TERM_RIGHT},
                                              {"similar", TERM_RIGHT}};
    term_table_column(t, "submission", TERM_CUT);
    if (page) {
        term_table_column(t, "name", TERM_LEFT);
        term_table_columns(t, points, 2);
    }
    for (unsigned i = 0; i < r->assignment->tiers_count; i++)
        if (plan_has_tier(r->plan, (int)i))
            term_table_column(t, r->assignment->tiers[i].name, TERM_LEFT);
    if (page)
        term_table_columns(t, more, sizeof more / sizeof more[0]);
    else
        term_table_columns(t, points, 2);
}

/* A number that is rare: nothing in place of 0. */
static void add_rare(struct term_table *t, unsigned n)
{
    if (n)
        cell_count(t, n);
    else
        cell_text(t, "");
}

/* What else a grade depends on. pairs: of similar sources, by submission. */
static void add_more(const struct run *r, const struct results *res, const struct scoreboard *b,
                     unsigned submission, const unsigned *pairs, struct term_table *t)
{
    const struct unit_range of = plan_units_of(r->plan, (int)submission);
    unsigned flagged = 0, undecided = 0, decided = 0;
    for (unsigned u = of.first; u < of.end; u++) {
        flagged += res->unit[u] && res->unit[u]->attested == ATTESTED_NO;
        undecided += class_undecided(res, b, u);
    }
    for (size_t i = 0; i < r->overrides.count; i++)
        decided += r->overrides.item[i].submission == (int)submission;
    if (b->submission[submission].late_s) {
        term_table_cell(t, TERM_PLAIN, "%.1f h", (double)b->submission[submission].late_s / 3600);
        term_table_value(t, (double)b->submission[submission].late_s);
    } else {
        cell_text(t, "");
    }
    add_rare(t, flagged);
    add_rare(t, undecided);
    add_rare(t, decided);
    add_rare(t, pairs[submission]);
}

static void add_verdict(const struct run *r, const struct results *res, unsigned submission,
                        unsigned tier, struct term_table *t)
{
    const int u = plan_unit_of(r->plan, (int)submission, (int)tier);
    if (u >= 0) {
        cell_verdict(t, res->unit[u]);
        if (res->unit[u] && res->unit[u]->verdict != VERDICT_PASS)
            cell_link_unit(t, r, (unsigned)u);
    } else if (plan_has_tier(r->plan, (int)tier)) {
        term_table_cell(t, TERM_DIM, "-");
    }
}

/* By submission, in how many pairs it is; the caller frees it. */
static unsigned *pairs_of(const struct plan *p, const struct similar_list *similar)
{
    unsigned *pairs = xcalloc(p->submissions_count + 1, sizeof *pairs);
    for (size_t i = 0; similar && i < similar->count; i++)
        for (int k = 0; k < 2; k++)
            pairs[p->units[similar->row[i].unit[k]].submission]++;
    return pairs;
}

struct term_table *class_verdicts(const struct run *r, const struct results *res,
                                  const struct scoreboard *b, const struct similar_list *similar)
{
    const struct plan *p = r->plan;
    struct term_table *t = term_table_new("Verdicts");
    OWNED unsigned *pairs = pairs_of(p, similar);
    bool points = false; /* a sweep gives none */
    for (unsigned s = 0; s < p->submissions_count; s++)
        points = points || b->submission[s].max_points > 0 || b->submission[s].points > 0;
    add_verdict_columns(r, similar, t);
    for (unsigned s = 0; s < p->submissions_count; s++) {
        const struct submission *sub = &p->submissions[s];
        const double most =
            sub->is_reference || !points ? (double)NAN : b->submission[s].max_points;
        cell_submission(t, r, s);
        if (similar) {
            cell_text(t, strcmp(sub->name, sub->id) == 0 ? "" : sub->name);
            cells_points(t, b->submission[s].points, most);
        }
        for (unsigned i = 0; i < r->assignment->tiers_count; i++)
            add_verdict(r, res, s, i, t);
        if (!similar)
            cells_points(t, b->submission[s].points, most);
        if (similar && !sub->is_reference)
            add_more(r, res, b, s, pairs, t);
        term_table_end_row(t);
    }
    return t;
}

/* --- speeds ----------------------------------------------------------------------------------- */

static bool measured(const struct scoreboard *b, int unit)
{
    const struct speeds of = score_speeds(b, unit);
    for (const struct speed *s = of.first; s < of.end; s++)
        if (s->graded)
            return true;
    return false;
}

/* The performance sizes of the run, in order. The caller frees them. */
static struct shape *sizes_of(const struct run *r, size_t *n)
{
    struct shape *size = xcalloc(r->cases.count + 1, sizeof *size);
    *n = 0;
    for (size_t i = 0; i < r->cases.count; i++)
        if (r->cases.item[i].kind == CASE_PERFORMANCE && !r->cases.item[i].weak)
            size[(*n)++] = r->cases.item[i].shape;
    return size;
}

/* "of roof": the share, and what bounds it. */
static void add_roof_share(const struct run *r, const struct results *res, const struct speed *s,
                           struct term_table *t)
{
    struct roofline x = {.bound = BOUND_UNKNOWN};
    if (s)
        x = roofline_speed(r, res, s, roofline_bandwidths(r, res, s)->gbs[0]);
    char text[TEXT_MOST];
    if (x.bound != BOUND_UNKNOWN) {
        text_measured_share(x.fraction, s->seconds, text);
        term_table_cell(t, TERM_PLAIN, "%s %s", text, bound_name(x.bound));
        term_table_value(t, x.fraction);
    } else {
        term_table_cell(t, TERM_DIM, "-");
    }
}

static void add_speedup_row(const struct run *r, const struct results *res,
                            const struct scoreboard *b, unsigned u, const struct shape *size,
                            size_t n, struct term_table *t)
{
    static const struct speed none = {.gops = (double)NAN, .peak_share = (double)NAN};
    cell_text(t, text_submission(r, u));
    cell_text(t, text_tier(r, u));
    const struct speed *last = NULL;
    for (size_t k = 0; k < n; k++) {
        const struct speed *s = score_fastest(b, (int)u, size[k]);
        cell_interval(t, TERM_PLAIN, s ? s->speedup : stats_unknown());
        last = s ? s : last;
    }
    const struct speed *x = last ? last : &none;
    cell_measured(t, x->gops, x->seconds);
    cell_share(t, x->peak_share, x->seconds);
    add_roof_share(r, res, last, t);
    if (x->end_to_end.n)
        cell_measured(t, x->gops * x->seconds.value / x->end_to_end.value, x->end_to_end);
    term_table_end_row(t);
}

struct term_table *class_speedups(const struct run *r, const struct results *res,
                                  const struct scoreboard *b)
{
    static const struct term_column columns[] = {{"GOP/s", TERM_SPARE},
                                                 {"of peak", TERM_SPARE},
                                                 {"of roof", TERM_RIGHT},
                                                 {"with copies", TERM_RIGHT}};
    size_t n;
    OWNED struct shape *size = sizes_of(r, &n);
    char title[200], heading[SHAPE_TEXT];
    snprintf(title, sizeof title, "Speed-up over the reference's %.40s, best launch",
             r->assignment->baseline);
    struct term_table *t = term_table_new(title);
    term_table_column(t, "submission", TERM_LEFT);
    term_table_column(t, "tier", TERM_LEFT);
    term_table_keys(t, 2);
    for (size_t k = 0; k < n; k++) {
        shape_format(size[k], heading);
        term_table_column(t, heading, TERM_RIGHT);
    }
    term_table_columns(t, columns, sizeof columns / sizeof columns[0]);
    for (unsigned u = 0; u < r->plan->units_count; u++)
        if (measured(b, (int)u))
            add_speedup_row(r, res, b, u, size, n, t);
    return t;
}

struct term_table *class_efficiencies(const struct run *r, const struct scoreboard *b)
{
    static const struct term_column columns[] = {
        {"submission", TERM_LEFT}, {"tier", TERM_LEFT},        {"launch", TERM_LEFT},
        {"size", TERM_RIGHT},      {"efficiency", TERM_RIGHT}, {"of nodes", TERM_RIGHT}};
    struct term_table *t = term_table_new(
        "Parallel efficiency: speed-up over one worker (one node) / workers (nodes)");
    term_table_columns(t, columns, sizeof columns / sizeof columns[0]);
    for (unsigned i = 0; i < b->speed_count; i++) {
        const struct speed *s = &b->speed[i];
        const bool nodes = s->launch.nodes > 1 && isfinite(s->node_efficiency.value);
        if (!s->graded || launch_workers(s->launch) == 1 ||
            (!isfinite(s->efficiency.value) && !nodes))
            continue;
        const unsigned unit = (unsigned)s->unit;
        cell_text(t, text_submission(r, unit));
        cell_text(t, text_tier(r, unit));
        cell_launch(t, &r->assignment->tiers[r->plan->units[unit].tier], s->launch);
        cell_size(t, s->shape);
        cell_share(t, s->efficiency.value, s->efficiency);
        cell_share(t, nodes ? s->node_efficiency.value : (double)NAN, s->node_efficiency);
        term_table_end_row(t);
    }
    return t;
}

struct term_table *class_nodes(const struct results *res)
{
    static const struct term_column columns[] = {
        {"node", TERM_LEFT},        {"processor", TERM_LEFT},  {"cores", TERM_RIGHT},
        {"peak GOP/s", TERM_RIGHT}, {"copy GB/s", TERM_RIGHT}, {"overhead us", TERM_RIGHT}};
    struct term_table *t = term_table_new("Nodes");
    term_table_columns(t, columns, sizeof columns / sizeof columns[0]);
    for (unsigned i = 0; i < res->node_count; i++) {
        const struct node_record *n = res->node[i];
        cell_text(t, n->host);
        cell_text(t, n->model);
        term_table_cell(t, TERM_PLAIN, "%d", n->cores);
        term_table_cell(t, TERM_PLAIN, n->device ? "%.0f in all" : "%.1f a core", n->peak_gops);
        term_table_cell(t, TERM_PLAIN, "%.1f", n->bandwidth_gbs);
        term_table_cell(t, TERM_PLAIN, "%.0f", n->overhead_us);
        term_table_end_row(t);
    }
    return t;
}

/* --- what a person must read -------------------------------------------------------------------
 */

/* A table of units, with a verdict or another word, and the text that explains it. */
static struct term_table *units_table(const char *title, const char *word, const char *text)
{
    struct term_table *t = term_table_new(title);
    term_table_column(t, "unit", TERM_LEFT);
    if (word)
        term_table_column(t, word, TERM_LEFT);
    term_table_column(t, text, TERM_NOTE);
    return t;
}

struct term_table *class_failures(const struct run *r, const struct results *res)
{
    struct term_table *t = units_table("What failed", "verdict", "message");
    term_table_column(t, "smallest", TERM_NOTE);
    for (unsigned i = 0; i < r->plan->units_count; i++) {
        const struct unit_result *u = res->unit[i];
        if (!u || u->verdict == VERDICT_PASS || u->verdict == VERDICT_MISSING ||
            u->verdict == VERDICT_SKIPPED)
            continue;
        OWNED char *smallest =
            smallest_is_news(r, u) ? smallest_text(r, i, &u->smallest) : xstrdup("");
        cell_unit(t, r, i);
        cell_verdict(t, u);
        cell_text(t, u->message);
        cell_text(t, smallest);
        term_table_end_row(t);
    }
    return t;
}

struct term_table *class_flagged(const struct run *r, const struct results *res)
{
    struct term_table *t = units_table("Flagged (the points stay as they are; please check)",
                                       "verdict", "what to check");
    for (unsigned i = 0; i < r->plan->units_count; i++) {
        const struct unit_result *u = res->unit[i];
        if (!u || u->attested != ATTESTED_NO)
            continue;
        cell_unit(t, r, i);
        term_table_cell(t, TERM_YELLOW, "flagged");
        term_table_mark(t);
        cell_text(t, u->evidence);
        term_table_end_row(t);
    }
    return t;
}

/* The first line of a text, if there is one. */
static void add_remark(struct term_table *t, const struct run *r, unsigned unit, const char *text)
{
    if (!*text)
        return;
    cell_unit(t, r, unit);
    term_table_cell(t, TERM_PLAIN, "%.*s", (int)strcspn(text, "\n"), text);
    term_table_end_row(t);
}

struct term_table *class_remarks(const struct run *r, const struct results *res)
{
    struct term_table *t = units_table("Remarks (no points depend on them)", NULL, "remark");
    for (unsigned i = 0; i < r->plan->units_count; i++) {
        const struct unit_result *u = res->unit[i];
        if (!u || u->verdict != VERDICT_PASS)
            continue;
        OWNED char *network = feedback_network(r, i, u);
        add_remark(t, r, i, u->remarks);
        add_remark(t, r, i, network);
    }
    return t;
}
