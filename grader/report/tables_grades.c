/*
 * grades.csv: one row per student, for the person who enters the grades somewhere else.
 *
 * Which columns it has depends on the run: beside its own ones it has those of the roster and two
 * per tier. Two columns never have the same name.
 */
#include <math.h>
#include <stdlib.h>
#include <strings.h>

#include "base/instant.h"
#include "base/strbuf.h"
#include "report/adjust.h"
#include "report/receipt.h"
#include "report/tables.h"
#include "report/text.h"

/* --- names of columns ------------------------------------------------------------------------- */

struct names_in_use {
    char **name;
    unsigned count;
};

/* Spreadsheets do not tell upper and lower case apart. */
static bool in_use(const struct names_in_use *n, const char *name)
{
    for (unsigned i = 0; i < n->count; i++)
        if (strcasecmp(n->name[i], name) == 0)
            return true;
    return false;
}

/* Take the name over. The prefix is put in front of it while the name is in use. */
static void use(struct names_in_use *n, const char *prefix, char *name)
{
    while (in_use(n, name)) {
        char *longer = xasprintf("%s%s", prefix, name);
        free(name);
        name = longer;
    }
    n->name = xrealloc_array(n->name, n->count + 1, sizeof *n->name);
    n->name[n->count++] = name;
}

/* --- columns ---------------------------------------------------------------------------------- */

enum { PER_TIER = 2 }; /* columns: points and their maximum */

struct grade_columns {
    size_t roster; /* the first one */
    size_t tier;   /* the first one */
    unsigned *tier_index;
    unsigned tiers;
};

static bool in_run(const struct plan *p, unsigned tier)
{
    for (unsigned i = 0; i < p->units_count; i++)
        if (p->units[i].tier == (int)tier && !p->submissions[p->units[i].submission].is_reference)
            return true;
    return false;
}

static size_t add_columns(struct table *t, const struct names_in_use *n, unsigned from,
                          unsigned count)
{
    size_t first = 0;
    for (unsigned i = 0; i < count; i++) {
        const size_t column = csv_out_column(t->csv, n->name[from + i]);
        if (i == 0)
            first = column;
    }
    return first;
}

/* The roster stands before the tiers in the file. But the name of a tier's column depends on the
 * assignment alone, so tiers get their names first. */
static void make_columns(const struct run *r, struct table *t, struct grade_columns *c)
{
    struct names_in_use n = {0};
    for (size_t i = 0; i < COLUMN_COUNT; i++)
        if (table_columns[i].table == GRADES || table_columns[i].table == GRADES_END)
            use(&n, "", xstrdup(table_columns[i].name));
    const unsigned first_tier = n.count;
    c->tier_index = xcalloc(r->assignment->tiers_count + 1, sizeof *c->tier_index);
    for (unsigned k = 0; k < r->assignment->tiers_count; k++) {
        if (!in_run(r->plan, k))
            continue;
        c->tier_index[c->tiers++] = k;
        use(&n, "tier_", xasprintf("%s_points", r->assignment->tiers[k].name));
        use(&n, "tier_", xasprintf("%s_max_points", r->assignment->tiers[k].name));
    }
    const unsigned first_roster = n.count;
    for (unsigned k = 0; k < r->plan->roster_columns_count; k++)
        use(&n, "roster_", xstrdup(r->plan->roster_columns[k]));
    c->roster = add_columns(t, &n, first_roster, r->plan->roster_columns_count);
    c->tier = add_columns(t, &n, first_tier, PER_TIER * c->tiers);
    table_add_columns(t, GRADES_END, r->assignment->kernel);
    texts_free(n.name, n.count);
}

/* --- rows ------------------------------------------------------------------------------------- */

/* NULL when the tier does not count. */
static const struct unit_score *tier_score(const struct table_source *s, unsigned submission,
                                           unsigned tier)
{
    const int unit = plan_unit_of(s->run->plan, (int)submission, (int)tier);
    return unit >= 0 && s->board->unit[unit].counted ? &s->board->unit[unit] : NULL;
}

/* Units that neither earned nor lost points, and why: for the person who enters the grade. */
static char *grade_note(const struct table_source *s, unsigned submission)
{
    const struct plan *p = s->run->plan;
    struct strbuf sb = STRBUF_INIT;
    const struct unit_range mine = plan_units_of(p, (int)submission);
    for (unsigned i = mine.first; i < mine.end; i++) {
        const struct unit_result *u = s->results->unit[i];
        if (s->board->unit[i].counted)
            continue;
        const char *why =
            subset_is_part(&p->only) ? "only a part was checked" : s->board->unit[i].not_gradable;
        if (!why)
            why = u ? verdict_name(u->verdict) : "not run yet";
        strbuf_addf(&sb, "%s%s: %s", sb.len ? "; " : "", text_tier(s->run, i), why);
    }
    return strbuf_detach(&sb);
}

static void student_row(const struct table_source *s, unsigned i, const struct grade_columns *c,
                        struct table *t)
{
    const struct submission *student = &s->run->plan->submissions[i];
    const struct submission_score *score = &s->board->submission[i];
    const double percent = score->max_points > 0 ? 100 * score->points / score->max_points : NAN;
    OWNED char *note = grade_note(s, i);
    table_str(t, GRADES_SUBMISSION, student->id);
    table_str(t, GRADES_NAME, student->name);
    for (unsigned k = 0; k < s->run->plan->roster_columns_count; k++)
        csv_out_str(t->csv, c->roster + k, student->roster_fields ? student->roster_fields[k] : "");
    for (unsigned k = 0; k < c->tiers; k++) {
        const struct unit_score *u = tier_score(s, i, c->tier_index[k]);
        const size_t column = c->tier + (size_t)PER_TIER * k;
        csv_out_decimal(t->csv, column, u ? u->points : NAN, POINTS_DECIMALS);
        csv_out_decimal(t->csv, column + 1, u ? u->max_points : NAN, POINTS_DECIMALS);
    }
    table_points(t, GRADES_END_POINTS, score->points);
    table_points(t, GRADES_END_MAX_POINTS, score->max_points);
    table_points(t, GRADES_END_PERCENT, percent);
    table_int(t, GRADES_END_UNCOUNTED, score->uncounted);
    table_str(t, GRADES_END_NOTE, note);
    const int64_t submitted = adjust_submitted(s->run, i);
    char when[INSTANT_TEXT] = "", *decided = adjust_text(s->run, (int)i, -1);
    if (submitted != PLAN_NO_TIME)
        instant_format(submitted, when);
    table_str(t, GRADES_END_SUBMITTED, when);
    if (score->late_s)
        table_int(t, GRADES_END_LATE, score->late_s);
    else
        table_empty(t, GRADES_END_LATE);
    table_points(t, GRADES_END_LATE_PENALTY, score->late_s ? score->late_penalty : NAN);
    table_str(t, GRADES_END_OVERRIDE, decided);
    free(decided);
    table_str(t, GRADES_END_RECEIPT, receipt_of(s->receipts, i));
    table_end_row(t);
}

/* A sweep gives no points. */
void rows_grades(const struct table_source *s, struct table *t)
{
    const struct plan *p = s->run->plan;
    struct grade_columns c = {0};
    if (p->sweep)
        return;
    make_columns(s->run, t, &c);
    for (unsigned i = 0; i < p->submissions_count; i++)
        if (!p->submissions[i].is_reference)
            student_row(s, i, &c, t);
    free(c.tier_index);
}
