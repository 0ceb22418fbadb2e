#include "report/student_tables.h"

#include <math.h>
#include <string.h>

#include "base/strbuf.h"
#include "report/cells.h"
#include "report/feedback.h"

/* What would give more points. Where the next launch at this size says the same, it says so for
 * both. The caller frees it. */
static char *note_of(const struct run *r, const struct scoreboard *b, const struct speed *s,
                     const struct speed *end)
{
    char *note = feedback_next(r, b, s);
    OWNED char *below =
        s + 1 < end && shape_equal(s->shape, s[1].shape) ? feedback_next(r, b, s + 1) : NULL;
    if (below && strcmp(note, below) == 0)
        note[0] = '\0';
    return note;
}

struct term_table *student_speeds(const struct run *r, const struct results *res,
                                  const struct scoreboard *b, int unit)
{
    static const struct term_column columns[] = {
        {"size", TERM_RIGHT},        {"launch", TERM_LEFT},         {"time", TERM_RIGHT},
        {"with copies", TERM_RIGHT}, {"GOP/s", TERM_SPARE},         {"of peak", TERM_SPARE},
        {"speed-up", TERM_RIGHT},    {"of reference", TERM_RIGHT},  {"efficiency", TERM_RIGHT},
        {"of nodes", TERM_RIGHT},    {"for more points", TERM_NOTE}};
    const struct tier *tier = &r->assignment->tiers[r->plan->units[unit].tier];
    /* a tier with a failure has to become right first */
    const bool gains = res->unit[unit] && res->unit[unit]->verdict == VERDICT_PASS &&
                       !subset_is_part(&r->plan->only);
    struct term_table *t = term_table_new(NULL);
    term_table_columns(t, columns, sizeof columns / sizeof columns[0]);
    term_table_keys(t, 2);
    const struct speeds of = score_speeds(b, unit);
    for (const struct speed *s = of.first; s < of.end; s++) {
        OWNED char *next = gains ? note_of(r, b, s, of.end) : xstrdup("");
        cell_size(t, s->shape);
        cell_launch(t, tier, s->launch);
        cell_seconds(t, s->seconds.value, s->seconds);
        cell_seconds(t, s->end_to_end.n ? s->end_to_end.value : (double)NAN, s->end_to_end);
        cell_measured(t, s->gops, s->seconds);
        cell_share(t, s->peak_share, s->seconds);
        cell_interval(t, TERM_BOLD, s->speedup);
        cell_share(t, s->fraction.value, s->fraction);
        cell_share(t, s->efficiency.value, s->efficiency);
        cell_share(t, s->launch.nodes > 1 ? s->node_efficiency.value : (double)NAN,
                   s->node_efficiency);
        term_table_cell(t, TERM_DIM, "%s", next);
        term_table_end_row(t);
    }
    return t;
}

/* What a launch of the kernel asked for. Copies and calls have none of it. */
static void add_launch(const struct profile_row *x, struct term_table *t)
{
    const bool kernel = x->activity == ACTIVITY_KERNEL;
    term_table_cell(t, TERM_PLAIN, kernel ? "%u" : "", x->registers);
    term_table_cell(t, TERM_PLAIN, kernel ? "%u B" : "", x->shared_bytes);
    term_table_cell(t, TERM_PLAIN, kernel ? "%u" : "", x->block_threads);
    term_table_cell(t, TERM_PLAIN, kernel ? "%llu" : "", (unsigned long long)x->grid_blocks);
    term_table_cell(t, TERM_PLAIN, kernel && isfinite(x->occupancy) ? "%.0f%%" : "",
                    100 * x->occupancy);
}

struct term_table *student_profile(const struct device_profile *p)
{
    static const struct term_column columns[] = {{"share", TERM_RIGHT},     {"total", TERM_RIGHT},
                                                 {"calls", TERM_RIGHT},     {"average", TERM_SPARE},
                                                 {"registers", TERM_RIGHT}, {"shared", TERM_RIGHT},
                                                 {"threads", TERM_SPARE},   {"blocks", TERM_SPARE},
                                                 {"occupancy", TERM_RIGHT}, {"name", TERM_NAME}};
    char size[SHAPE_TEXT] = "", text[TEXT_MOST];
    if (p->count)
        shape_format(p->shape, size);
    OWNED char *title = xasprintf("One call at %s, with the copies", size);
    struct term_table *t = term_table_new(title);
    term_table_columns(t, columns, sizeof columns / sizeof columns[0]);
    for (unsigned i = 0; i < p->count; i++) {
        const struct profile_row *x = &p->row[i];
        const double share = profile_share(p, i);
        term_table_cell(t, TERM_PLAIN, isfinite(share) ? "%.1f%%" : "-", 100 * share);
        text_seconds(x->seconds, text);
        cell_text(t, text);
        cell_count(t, x->calls);
        text_seconds(x->seconds / (double)x->calls, text);
        cell_text(t, text);
        add_launch(x, t);
        cell_text(t, x->name);
        term_table_end_row(t);
    }
    return t;
}
