#include "report/cells.h"

#include <math.h>

#include "base/strbuf.h"

/* A cell with the number that it shows. */
static void add(struct term_table *t, enum term_style style, const char *text, double value)
{
    term_table_cell(t, style, "%s", text);
    term_table_value(t, value);
}

void cell_text(struct term_table *t, const char *text)
{
    term_table_cell(t, TERM_PLAIN, "%s", text);
}

/* An id has percent signs, which a link has to write as %25. */
static void add_link(struct term_table *t, const char *id, const char *tier)
{
    OWNED char *file = xasprintf("%s/feedback.html", id), *link = xreplace(file, "%", "%25"),
               *whole = xasprintf("%s%s%s%s", link, tier ? "#tier-" : "", tier ? tier : "",
                                  tier ? "-title" : "");
    term_table_link(t, whole);
}

void cell_submission(struct term_table *t, const struct run *r, unsigned submission)
{
    const struct submission *s = &r->plan->submissions[submission];
    term_table_cell(t, s->is_reference ? TERM_DIM : TERM_BOLD, "%s", s->id);
    if (!s->is_reference)
        add_link(t, s->id, NULL);
}

void cell_unit(struct term_table *t, const struct run *r, unsigned unit)
{
    term_table_cell(t, TERM_BOLD, "%s", r->plan->units[unit].id);
    cell_link_unit(t, r, unit);
}

void cell_link_unit(struct term_table *t, const struct run *r, unsigned unit)
{
    const struct submission *s = &r->plan->submissions[r->plan->units[unit].submission];
    if (!s->is_reference)
        add_link(t, s->id, text_tier(r, unit));
}

void cell_count(struct term_table *t, unsigned long long n)
{
    term_table_cell(t, TERM_PLAIN, "%llu", n);
    term_table_value(t, (double)n);
}

void cell_number(struct term_table *t, double v)
{
    char text[TEXT_MOST];
    text_number(v, text);
    add(t, TERM_PLAIN, text, v);
}

void cell_measured(struct term_table *t, double v, struct interval of)
{
    char text[TEXT_MOST];
    text_measured(v, of, text);
    add(t, TERM_PLAIN, text, v);
}

void cell_seconds(struct term_table *t, double s, struct interval of)
{
    char text[TEXT_MOST];
    text_measured_seconds(s, of, text);
    add(t, TERM_PLAIN, text, s);
}

void cell_share(struct term_table *t, double share, struct interval of)
{
    char text[TEXT_MOST];
    text_measured_share(share, of, text);
    add(t, TERM_PLAIN, text, share);
}

void cell_interval(struct term_table *t, enum term_style style, struct interval i)
{
    char text[TEXT_MOST];
    text_interval(i, text);
    add(t, style, text, i.value);
}

void cell_size(struct term_table *t, struct shape size)
{
    char text[SHAPE_TEXT];
    shape_format(size, text);
    cell_text(t, text);
}

void cell_launch(struct term_table *t, const struct tier *tier, struct launch l)
{
    char text[TEXT_MOST];
    text_launch(tier, l, text);
    cell_text(t, text);
}

void cell_verdict(struct term_table *t, const struct unit_result *u)
{
    term_table_cell(t, u ? text_verdict_style(u->verdict) : TERM_DIM, "%s",
                    u ? verdict_name(u->verdict) : "not run");
    if (u)
        term_table_brief(t, verdict_brief(u->verdict));
    term_table_mark(t);
}

void cells_points(struct term_table *t, double points, double most)
{
    char text[TEXT_MOST] = "-";
    if (isfinite(most))
        text_points(points, most, text);
    add(t, isfinite(most) ? TERM_BOLD : TERM_DIM, text, isfinite(most) ? points : (double)NAN);
    if (isfinite(most))
        text_points_most(most, text);
    add(t, isfinite(most) ? TERM_PLAIN : TERM_DIM, text, most);
}
