#include "report/sweep.h"

#include <stdlib.h>

#include "base/strbuf.h"
#include "base/term.h"
#include "kernel/kernel.h"
#include "report/text.h"

bool sweep_case(const struct run *r, const struct case_result *c)
{
    return c->case_index < (int)r->cases.count &&
           r->cases.item[c->case_index].kind == CASE_PERFORMANCE;
}

const struct case_result *sweep_best(const struct run *r, const struct unit_result *u,
                                     struct shape size)
{
    const struct case_result *best = NULL;
    for (unsigned i = 0; i < u->cases_count; i++) {
        const struct case_result *c = &u->cases[i];
        if (sweep_case(r, c) && c->verdict == VERDICT_PASS && c->estimate.seconds.n &&
            shape_equal(r->cases.item[c->case_index].shape, size) &&
            (!best || c->estimate.seconds.value < best->estimate.seconds.value))
            best = c;
    }
    return best;
}

static char *label(const struct tier *t, const struct case_result *c)
{
    char launch[TEXT_MOST];
    OWNED char *point = sweep_point_text(t, (unsigned)c->point);
    bool launches = tier_launch_count(t) > 1;
    text_launch(t, c->launch, launch);
    return xasprintf("%s%s%s", point, *point && launches ? ", " : "", launches ? launch : "");
}

static const struct case_result *find(const struct run *r, const struct unit_result *u, int point,
                                      int launch, struct shape size)
{
    for (unsigned i = 0; i < u->cases_count; i++) {
        const struct case_result *c = &u->cases[i];
        if (sweep_case(r, c) && c->point == point && c->launch_index == launch &&
            shape_equal(r->cases.item[c->case_index].shape, size))
            return c;
    }
    return NULL;
}

/* A rate, or a time where nobody counts operations. */
static void speed_text(const struct kernel *k, struct shape size, const struct case_result *c,
                       char out[TEXT_MOST])
{
    const struct interval of = c->estimate.seconds;
    if (k->operations)
        text_measured(kernel_operations(k, size) / of.value * 1e-9, of, out);
    else
        text_measured_seconds(of.value, of, out);
}

static void print_cell(struct term_table *t, const struct kernel *k, struct shape size,
                       const struct case_result *c, const struct case_result *best)
{
    char text[TEXT_MOST];
    if (!c) {
        term_table_cell(t, TERM_DIM, "-");
    } else if (c->verdict != VERDICT_PASS) {
        term_table_cell(t, text_verdict_style(c->verdict), "%s", verdict_name(c->verdict));
    } else if (!c->estimate.seconds.n) {
        term_table_cell(t, TERM_DIM, c->oversubscribed ? "(not timed)" : "-");
    } else {
        speed_text(k, size, c, text);
        term_table_cell(t, c == best ? TERM_BOLD : TERM_PLAIN, "%s%s", c == best ? "* " : "", text);
    }
}

static void print_unit(const struct run *r, unsigned unit, const struct unit_result *u, FILE *f)
{
    const struct tier *t = &r->assignment->tiers[r->plan->units[unit].tier];
    const struct kernel *k = r->assignment->kernel;
    unsigned sizes = tier_size_count(r->assignment, t);
    char title[200], text[SHAPE_TEXT];
    if (!u->cases_count)
        return;
    snprintf(title, sizeof title, "\n%.60s, %.60s: %s, the best of each size marked *",
             r->plan->submissions[r->plan->units[unit].submission].id, t->title,
             k->operations ? "GOP/s" : "times");
    struct term_table *table = term_table_new(title);
    term_table_column(table, "point", TERM_LEFT);
    for (unsigned i = 0; i < sizes; i++) {
        shape_format(tier_size(r->assignment, t, i), text);
        term_table_column(table, text, TERM_RIGHT);
    }
    for (unsigned p = 0; p < sweep_points(t); p++) {
        for (unsigned l = 0; l < tier_launch_count(t); l++) {
            const struct case_result any = {.point = (int)p, .launch = tier_launch(t, l)};
            OWNED char *name = label(t, &any);
            term_table_cell(table, TERM_PLAIN, "%s", name);
            for (unsigned i = 0; i < sizes; i++) {
                struct shape size = tier_size(r->assignment, t, i);
                print_cell(table, k, size, find(r, u, (int)p, (int)l, size),
                           sweep_best(r, u, size));
            }
            term_table_end_row(table);
        }
    }
    term_table_print(table, f);
    for (unsigned i = 0; i < sizes; i++) {
        struct shape size = tier_size(r->assignment, t, i);
        const struct case_result *best = sweep_best(r, u, size);
        if (!best)
            continue;
        char *name = label(t, best), speed[TEXT_MOST];
        shape_format(size, text);
        speed_text(k, size, best, speed);
        fprintf(f, "best at %s: %s, %s%s\n", text, name, speed, k->operations ? " GOP/s" : "");
        free(name);
    }
}

void report_print_sweeps(const struct run *r, const struct results *res, FILE *f)
{
    for (unsigned i = 0; i < r->plan->units_count; i++)
        if (res->unit[i])
            print_unit(r, i, res->unit[i], f);
}
