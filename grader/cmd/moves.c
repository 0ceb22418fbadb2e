#include "cmd/moves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
}

void standings_take(const struct run *r, struct standings *out)
{
    struct results res;
    struct scoreboard b;
    *out = (struct standings){0};
    results_read(r, &res, NULL, NULL);
    score_run(r, &res, &b);
    for (unsigned s = 0; s < r->plan->submissions_count; s++)
        if (!r->plan->submissions[s].is_reference)
            take_submission(r, &res, &b, s, out);
    scoreboard_free(&b);
    results_free(&res);
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

static void cell_points(struct term_table *t, const struct standing *x)
{
    if (x && x->counted)
        term_table_cell(t, TERM_PLAIN, "%.2f of %.6g", x->points, x->max_points);
    else
        term_table_cell(t, TERM_DIM, "-");
}

static void print_row(struct term_table *t, const struct standing *was, const struct standing *is)
{
    const struct standing *known = is ? is : was;
    const bool total = !known->unit, changed = was && is && was->counted && is->counted;
    const char *before = was ? was->verdict : "-", *now = is ? is->verdict : "-";
    const double by = was && is && changed ? is->points - was->points : (double)NAN;
    term_table_cell(t, TERM_BOLD, "%s", known->submission);
    term_table_cell(t, total ? TERM_BOLD : TERM_PLAIN, "%s", known->tier);
    if (strcmp(before, now) == 0)
        term_table_cell(t, TERM_PLAIN, "%s", now);
    else
        term_table_cell(t, TERM_PLAIN, "%s -> %s", before, now);
    cell_points(t, was);
    cell_points(t, is);
    if (changed && fabs(by) >= SAME_POINTS)
        term_table_cell(t, by < 0 ? TERM_RED : TERM_GREEN, "%+.2f", by);
    else
        term_table_cell(t, TERM_DIM, "-");
    term_table_end_row(t);
}

void moves_print(const struct standings *was, const struct standings *is, FILE *f)
{
    struct term_table *t = term_table_new("What changed");
    size_t moved = 0, all = 0, rows = 0;
    static const struct term_column columns[] = {
        {"submission", TERM_LEFT},     {"tier", TERM_LEFT},        {"verdict", TERM_LEFT},
        {"points before", TERM_RIGHT}, {"points now", TERM_RIGHT}, {"change", TERM_RIGHT}};
    term_table_columns(t, columns, sizeof columns / sizeof columns[0]);
    term_table_keys(t, 2);
    for (size_t i = 0; i < is->count; i++) {
        const struct standing *x = &is->item[i], *before = find(was, x);
        all += !x->unit;
        if (before && same(before, x))
            continue;
        moved += !x->unit && (!before || !same_points(before, x));
        rows++;
        print_row(t, before, x);
    }
    for (size_t i = 0; i < was->count; i++) {
        if (find(is, &was->item[i]))
            continue;
        rows++;
        print_row(t, &was->item[i], NULL);
    }
    if (rows)
        term_table_print(t, f);
    else
        term_table_discard(t);
    term_print(f, 2, "%s%zu of %zu %s %s other points than before\n", rows ? "\n" : "", moved, all,
               plural(all, "submission", "submissions"), plural(moved, "has", "have"));
}
