/*
 * The table of how rates spread: of the timed runs of a unit in one launch, taken together by
 * one property at a time, their quartiles and their mean.
 */
#include <stdlib.h>
#include <string.h>

#include "base/stats.h"
#include "base/strbuf.h"
#include "kernel/kernel.h"
#include "report/tables.h"
#include "report/text.h"

enum { VALUE_TEXT = SHAPE_TEXT };

/* The runs of one launch for which a property has one value. */
struct group {
    struct launch launch;
    char by[FIELD_KEY];
    char value[VALUE_TEXT];
    double *gops;
    size_t n;
};

struct groups {
    struct group *item;
    size_t count;
    size_t first; /* of the property that is being looked at */
};

static bool belongs(const struct group *g, struct launch l, const char *value)
{
    return launch_equal(g->launch, l) && strcmp(g->value, value) == 0;
}

static void add_run(struct groups *g, struct launch l, const char *by, const char *value,
                    double gops)
{
    size_t i = g->first;
    while (i < g->count && !belongs(&g->item[i], l, value))
        i++;
    if (i == g->count) {
        g->item = list_one_more(g->item, g->count, sizeof *g->item);
        struct group *new = &g->item[g->count++];
        *new = (struct group){.launch = l};
        snprintf(new->by, sizeof new->by, "%s", by);
        snprintf(new->value, sizeof new->value, "%s", value);
    }
    struct group *to = &g->item[i];
    to->gops = list_one_more(to->gops, to->n, sizeof *to->gops);
    to->gops[to->n++] = gops;
}

/* The properties before those of a sparse matrix. */
enum property { BY_ALL, BY_SIZE, BY_FIELDS };

/* Dense kernels have no more: their dimensions are in the size. */
static int properties(const struct kernel *k)
{
    return BY_FIELDS + (k->facts ? kernel_fields(k) : 0);
}

static void property_of(const struct kernel *k, struct shape s, int property, char by[FIELD_KEY],
                        char value[VALUE_TEXT])
{
    value[0] = '\0';
    if (property < BY_FIELDS) {
        snprintf(by, FIELD_KEY, "%s", property == BY_ALL ? "all" : "size");
        if (property == BY_SIZE)
            shape_format(s, value);
        return;
    }
    const struct shape_field f = kernel_field(k, s, property - BY_FIELDS);
    kernel_field_key(k, property - BY_FIELDS, by);
    if (f.kind == FIELD_INTEGER)
        snprintf(value, VALUE_TEXT, "%d", f.integer);
    else if (f.kind == FIELD_REAL)
        snprintf(value, VALUE_TEXT, "%.*g", FACT_SIGNIFICANT, f.real);
    else
        snprintf(value, VALUE_TEXT, "%s", f.text);
}

static void add_case(struct groups *g, const struct run *r, const struct kernel *k,
                     const struct case_result *c, int property)
{
    if (c->case_index >= (int)r->cases.count) /* the assignment was changed after the run */
        return;
    const struct shape s = r->cases.item[c->case_index].shape;
    char by[FIELD_KEY], value[VALUE_TEXT];
    property_of(k, s, property, by, value);
    for (unsigned i = 0; i < c->samples_count; i++)
        if (c->samples[i].unit > 0)
            add_run(g, c->launch, by, value, kernel_operations(k, s) / c->samples[i].unit * 1e-9);
}

static void group_row(const struct run *r, unsigned unit, const struct kernel *k,
                      const struct group *g, struct table *t)
{
    static const struct {
        enum column column;
        double quantile;
    } marks[] = {{SPREAD_MIN, 0},
                 {SPREAD_Q1, 0.25},
                 {SPREAD_MEDIAN, 0.5},
                 {SPREAD_Q3, 0.75},
                 {SPREAD_MAX, 1}};
    double sum = 0;
    table_str(t, SPREAD_SUBMISSION, text_submission(r, unit));
    table_str(t, SPREAD_TIER, text_tier(r, unit));
    table_str(t, SPREAD_KERNEL, k->name);
    table_int(t, SPREAD_RANKS, g->launch.ranks);
    table_int(t, SPREAD_THREADS, g->launch.threads);
    table_str(t, SPREAD_BY, g->by);
    table_number(t, SPREAD_VALUE, g->value);
    table_int(t, SPREAD_SAMPLES, (long long)g->n);
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        table_num(t, marks[i].column, stats_quantile(g->gops, g->n, marks[i].quantile),
                  SIGNIFICANT);
    for (size_t i = 0; i < g->n; i++)
        sum += g->gops[i];
    table_num(t, SPREAD_MEAN, sum / (double)g->n, SIGNIFICANT);
    table_end_row(t);
}

void rows_spread(const struct table_source *s, struct table *t)
{
    const struct run *r = s->run;
    for (unsigned i = 0; i < r->plan->units_count && !r->plan->sweep; i++) {
        const struct unit_result *u = s->results->unit[i];
        const struct kernel *k = r->assignment->tiers[r->plan->units[i].tier].kernel;
        struct groups g = {.item = NULL};
        for (int p = 0; u && p < properties(k); p++) {
            g.first = g.count;
            for (unsigned c = 0; c < u->cases_count; c++)
                add_case(&g, r, k, &u->cases[c], p);
        }
        for (size_t n = 0; n < g.count; n++) {
            group_row(r, i, k, &g.item[n], t);
            free(g.item[n].gops);
        }
        free(g.item);
    }
}
