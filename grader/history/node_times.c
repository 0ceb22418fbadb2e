#include "history/node_times.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/stats.h"
#include "base/strbuf.h"
#include "report/text.h"

static const double QUARTILE = 0.25;

struct values {
    double *x;
    size_t n;
};

static void values_add(struct values *v, double x)
{
    if (!(x > 0) || !isfinite(x))
        return;
    v->x = xrealloc_array(v->x, v->n + 1, sizeof *v->x);
    v->x[v->n++] = x;
}

/* Points and the times that they are made of. */
struct list {
    struct node_time *time;
    struct values *values;
    size_t count;
};

static size_t add(struct list *l, const struct node_time *p)
{
    for (size_t i = 0; i < l->count; i++)
        if (strcmp(l->time[i].node, p->node) == 0 && strcmp(l->time[i].tier, p->tier) == 0 &&
            strcmp(l->time[i].launch, p->launch) == 0 && strcmp(l->time[i].size, p->size) == 0)
            return i;
    l->time = xrealloc_array(l->time, l->count + 1, sizeof *l->time);
    l->values = xrealloc_array(l->values, l->count + 1, sizeof *l->values);
    l->time[l->count] = *p;
    l->values[l->count] = (struct values){0};
    return l->count++;
}

static void name_size(const struct run *r, const struct case_result *c, struct node_time *p)
{
    char text[SHAPE_TEXT];
    shape_format(r->cases.item[c->case_index].shape, text);
    snprintf(p->size, sizeof p->size, "%s", text);
}

/* The unit of the reference in a tier, if it has a result. */
static const struct unit_result *reference_of(const struct run *r, const struct results *res,
                                              const char *tier)
{
    for (unsigned i = 0; i < r->plan->units_count; i++)
        if (r->plan->submissions[r->plan->units[i].submission].is_reference && res->unit[i] &&
            strcmp(r->assignment->tiers[r->plan->units[i].tier].name, tier) == 0)
            return res->unit[i];
    return NULL;
}

static void add_yardstick(const struct run *r, const struct results *res,
                          const struct unit_result *u, const struct case_result *c, struct list *l)
{
    const struct unit_result *own = reference_of(r, res, u->yardstick);
    struct node_time p = {.node = u->host,
                          .at = u->started,
                          .record = results_node(res, u),
                          .compiler = own ? own->compiler : "",
                          .source = own ? own->source_hash : ""};
    snprintf(p.tier, sizeof p.tier, "yardstick %s", u->yardstick);
    name_size(r, c, &p);
    const size_t at = add(l, &p);
    if (strcmp(u->started, l->time[at].at) > 0)
        l->time[at].at = u->started;
    for (unsigned i = 0; i < c->samples_count; i++)
        values_add(&l->values[at], c->samples[i].yardstick);
}

static void add_reference(const struct run *r, const struct results *res, unsigned unit,
                          const struct case_result *c, struct list *l)
{
    const struct unit_result *u = res->unit[unit];
    const struct tier *t = &r->assignment->tiers[r->plan->units[unit].tier];
    struct node_time p = {.node = u->host,
                          .at = u->started,
                          .record = results_node(res, u),
                          .compiler = u->compiler,
                          .source = u->source_hash};
    char launch[TEXT_MOST];
    text_launch(t, c->launch, launch);
    snprintf(p.tier, sizeof p.tier, "%s", t->name);
    snprintf(p.launch, sizeof p.launch, "%s", launch);
    name_size(r, c, &p);
    const size_t at = add(l, &p);
    for (unsigned i = 0; i < c->samples_count; i++)
        values_add(&l->values[at], c->samples[i].unit);
}

static void add_unit(const struct run *r, const struct results *res, unsigned unit, struct list *l)
{
    const struct unit_result *u = res->unit[unit];
    const bool reference = r->plan->submissions[r->plan->units[unit].submission].is_reference;
    for (unsigned i = 0; u && i < u->cases_count; i++) {
        const struct case_result *c = &u->cases[i];
        if (!c->samples_count || c->case_index < 0 || (size_t)c->case_index >= r->cases.count)
            continue;
        add_yardstick(r, res, u, c, l);
        if (reference && u->verdict == VERDICT_PASS && !c->oversubscribed)
            add_reference(r, res, unit, c, l);
    }
}

size_t node_times_of(const struct run *r, const struct results *res, struct node_time **out)
{
    struct list l = {0};
    size_t n = 0;
    for (unsigned i = 0; i < r->plan->units_count && !r->plan->sweep; i++)
        add_unit(r, res, i, &l);
    for (size_t i = 0; i < l.count; i++) {
        l.time[i].seconds = stats_quantile(l.values[i].x, l.values[i].n, QUARTILE);
        free(l.values[i].x);
        if (l.time[i].seconds > 0)
            l.time[n++] = l.time[i];
    }
    free(l.values);
    *out = l.time;
    return n;
}
