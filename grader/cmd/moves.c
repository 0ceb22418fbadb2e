#include "cmd/moves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "base/plural.h"
#include "base/strbuf.h"
#include "base/term.h"
#include "report/text.h"

/* Points are shown with two decimals. */
#define SAME_POINTS 0.005

static struct standing *add(struct standings *s)
{
    s->item = list_one_more(s->item, s->count, sizeof *s->item);
    struct standing *x = &s->item[s->count++];
    *x = (struct standing){.verdict = "-"};
    return x;
}

static void take_submission(const struct run *r, const struct results *res,
                            const struct scoreboard *b, unsigned s, struct standings *out)
{
    const char *id = r->plan->submissions[s].id;
    const struct unit_range mine = plan_units_of(r->plan, (int)s);
    for (unsigned i = mine.first; i < mine.end; i++) {
        struct standing *x = add(out);
        x->unit = xstrdup(r->plan->units[i].id);
        x->submission = xstrdup(id);
        x->tier = xstrdup(text_tier(r, i));
        if (res->unit[i])
            snprintf(x->verdict, sizeof x->verdict, "%s", verdict_name(res->unit[i]->verdict));
        x->counted = b->unit[i].counted;
        x->points = b->unit[i].points;
        x->max_points = b->unit[i].max_points;
    }
    struct standing *x = add(out);
    x->submission = xstrdup(id);
    x->tier = xstrdup("total");
    x->counted = true;
    x->points = b->submission[s].points;
    x->max_points = b->submission[s].max_points;
    x->late_penalty = b->submission[s].late_penalty;
}

void standings_take(const struct run *r, struct standings *out)
{
    FREED_BY(results_free) struct results res = {0};
    FREED_BY(scoreboard_free) struct scoreboard b = {0};
    *out = (struct standings){0};
    results_read(r, &res, NULL, NULL);
    score_run(r, &res, &b);
    for (unsigned s = 0; s < r->plan->submissions_count; s++)
        if (!r->plan->submissions[s].is_reference)
            take_submission(r, &res, &b, s, out);
}

static void standing_free(struct standing *x)
{
    free(x->unit);
    free(x->submission);
    free(x->tier);
}

/* Does the submission have a unit without a result? */
static bool is_open(const struct standings *s, const char *submission, const char *tier)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->item[i].unit && strcmp(s->item[i].verdict, "-") == 0 &&
            strcmp(s->item[i].submission, submission) == 0 &&
            (!tier || strcmp(s->item[i].tier, tier) == 0))
            return true;
    return false;
}

/* For each, whether it is not known. The caller frees the list. */
static bool *find_open(const struct standings *s, const struct standings *is)
{
    bool *open = xcalloc(s->count + 1, sizeof *open);
    for (size_t i = 0; i < s->count; i++)
        open[i] = is_open(is, s->item[i].submission, s->item[i].unit ? s->item[i].tier : NULL);
    return open;
}

static void drop(struct standings *s, bool *gone)
{
    size_t n = 0;
    for (size_t i = 0; i < s->count; i++) {
        if (gone[i])
            standing_free(&s->item[i]);
        else
            s->item[n++] = s->item[i];
    }
    s->count = n;
    free(gone);
}

void standings_keep_known(struct standings *was, struct standings *is)
{
    bool *before = find_open(was, is), *now = find_open(is, is);
    drop(was, before);
    drop(is, now);
}

void standings_free(struct standings *s)
{
    for (size_t i = 0; i < s->count; i++)
        standing_free(&s->item[i]);
    free(s->item);
    *s = (struct standings){0};
}

static const struct standing *find(const struct standings *s, const struct standing *like)
{
    for (size_t i = 0; i < s->count; i++)
        if (!s->item[i].unit == !like->unit &&
            strcmp(s->item[i].submission, like->submission) == 0 &&
            strcmp(s->item[i].tier, like->tier) == 0)
            return &s->item[i];
    return NULL;
}

static bool same_points(const struct standing *a, const struct standing *b)
{
    return a->counted == b->counted && fabs(a->points - b->points) < SAME_POINTS;
}

static bool same(const struct standing *a, const struct standing *b)
{
    return same_points(a, b) && strcmp(a->verdict, b->verdict) == 0 &&
           fabs(a->max_points - b->max_points) < SAME_POINTS;
}

/* A submission before and after; parts of it that are not there are NULL. */
struct move {
    const char *submission;
    const struct standing *was, *is; /* its total */
    struct strbuf tiers;             /* what has changed in which of them */
    bool any;
};

/* "simd wrong-answer -> pass": the tier, and what became of its verdict. Its points only where the
 * total is not known. */
static void add_tier(struct move *m, const struct standing *was, const struct standing *is)
{
    const char *before = was ? was->verdict : "-", *now = is ? is->verdict : "-";
    strbuf_addf(&m->tiers, "%s%s", m->tiers.len ? ", " : "", (is ? is : was)->tier);
    if (strcmp(before, now) != 0)
        strbuf_addf(&m->tiers, " %s -> %s", before, now);
    if (!(m->was && m->is) && was && is && was->counted && is->counted && !same_points(was, is))
        strbuf_addf(&m->tiers, " %+.2f", is->points - was->points);
}

static void compare(struct move *m, const struct standings *was, const struct standings *is)
{
    for (size_t i = 0; i < is->count; i++) {
        const struct standing *x = &is->item[i], *before = find(was, x);
        if (strcmp(x->submission, m->submission) != 0 || (before && same(before, x)))
            continue;
        m->any = true;
        if (x->unit)
            add_tier(m, before, x);
    }
    for (size_t i = 0; i < was->count; i++) {
        const struct standing *x = &was->item[i];
        if (strcmp(x->submission, m->submission) != 0 || find(is, x))
            continue;
        m->any = true;
        if (x->unit)
            add_tier(m, x, NULL);
    }
}

static void cell_points(struct term_table *t, const struct standing *x)
{
    if (x)
        term_table_cell(t, TERM_PLAIN, "%.2f", x->points);
    else
        term_table_cell(t, TERM_DIM, "-");
}

static void print_row(struct term_table *t, const struct move *m, bool penalties)
{
    const struct standing *last = m->is ? m->is : m->was;
    const double by = m->was && m->is ? m->is->points - m->was->points : 0;
    term_table_cell(t, TERM_BOLD, "%s", m->submission);
    cell_points(t, m->was);
    cell_points(t, m->is);
    if (last)
        term_table_cell(t, TERM_PLAIN, "%.6g", last->max_points);
    else
        term_table_cell(t, TERM_DIM, "-");
    if (fabs(by) >= SAME_POINTS)
        term_table_cell(t, by < 0 ? TERM_RED : TERM_GREEN, "%+.2f", by);
    else
        term_table_cell(t, TERM_DIM, "-");
    if (penalties && m->is)
        term_table_cell(t, TERM_PLAIN, "%.2f", m->is->points + m->is->late_penalty);
    else if (penalties)
        term_table_cell(t, TERM_DIM, "-");
    term_table_cell(t, TERM_PLAIN, "%s", m->tiers.s);
    term_table_end_row(t);
}

static struct term_table *new_table(bool penalties)
{
    static const struct term_column points[] = {{"submission", TERM_LEFT},
                                                {"before", TERM_RIGHT},
                                                {"now", TERM_RIGHT},
                                                {"of", TERM_RIGHT},
                                                {"change", TERM_RIGHT}};
    struct term_table *t = term_table_new("What changed");
    term_table_columns(t, points, sizeof points / sizeof points[0]);
    if (penalties)
        term_table_column(t, "without penalty", TERM_RIGHT);
    term_table_column(t, "tiers", TERM_LEFT);
    return t;
}

static const struct standing *total_of(const struct standings *s, const char *submission)
{
    for (size_t i = 0; i < s->count; i++)
        if (!s->item[i].unit && strcmp(s->item[i].submission, submission) == 0)
            return &s->item[i];
    return NULL;
}

static bool any_penalty(const struct standings *s)
{
    for (size_t i = 0; i < s->count; i++)
        if (!s->item[i].unit && s->item[i].late_penalty > 0)
            return true;
    return false;
}

/* A row for each submission of `of` which differs and is not in `others`. Returns how many. */
static size_t print_rows(struct term_table *t, const struct standings *of,
                         const struct standings *others, const struct standings *was,
                         const struct standings *is, bool penalties)
{
    FREED_BY(names_free) struct names seen = NAMES_INIT;
    size_t rows = 0;
    for (size_t i = 0; others && i < others->count; i++)
        (void)names_add(&seen, others->item[i].submission, i);
    for (size_t i = 0; i < of->count; i++) {
        const char *id = of->item[i].submission;
        if (names_add(&seen, id, i) != NAMES_NONE)
            continue;
        struct move m = {id, total_of(was, id), total_of(is, id), STRBUF_INIT, false};
        compare(&m, was, is);
        if (m.any)
            print_row(t, &m, penalties);
        rows += m.any;
        strbuf_free(&m.tiers);
    }
    return rows;
}

void moves_print(const struct standings *was, const struct standings *is, FILE *f)
{
    const bool penalties = any_penalty(is);
    struct term_table *t = new_table(penalties);
    size_t moved = 0, all = 0;
    const size_t rows =
        print_rows(t, is, NULL, was, is, penalties) + print_rows(t, was, is, was, is, penalties);
    for (size_t i = 0; i < is->count; i++) {
        const struct standing *x = &is->item[i], *before = find(was, x);
        all += !x->unit;
        moved += !x->unit && (!before || !same_points(before, x));
    }
    if (rows)
        term_table_print(t, f);
    else
        term_table_discard(t);
    term_print(f, 2, "%s%zu of %zu %s %s other points than before\n", rows ? "\n" : "", moved, all,
               plural(all, "submission", "submissions"), plural(moved, "has", "have"));
}
