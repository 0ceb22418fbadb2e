#include "rundir/derive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "base/strbuf.h"

/* The yardstick's best time at a size on a node. */
struct record {
    const char *host, *yardstick;
    struct shape shape;
    double seconds;
};

struct records {
    struct record *item;
    size_t count;
};

static double *record_of(struct records *l, const char *host, const char *yardstick,
                         struct shape shape)
{
    for (size_t i = 0; i < l->count; i++)
        if (shape_equal(l->item[i].shape, shape) && strcmp(l->item[i].host, host) == 0 &&
            strcmp(l->item[i].yardstick, yardstick) == 0)
            return &l->item[i].seconds;
    l->item = xrealloc_array(l->item, l->count + 1, sizeof *l->item);
    l->item[l->count] = (struct record){host, yardstick, shape, (double)NAN};
    return &l->item[l->count++].seconds;
}

/* The record for a case; NULL: it was not timed. */
static double *record_for(const struct run *r, struct records *l, const struct unit_result *u,
                          const struct case_result *c)
{
    return c->samples_count && (size_t)c->case_index < r->cases.count
               ? record_of(l, u->host, u->yardstick, r->cases.item[c->case_index].shape)
               : NULL;
}

static void collect_records(const struct run *r, const struct results *res, struct records *l)
{
    for (unsigned i = 0; i < res->node_count; i++) {
        const struct node_record *n = res->node[i];
        for (unsigned k = 0; k < n->calibrations_count; k++) {
            const struct calibration *c = &n->calibrations[k];
            double *best = record_of(l, n->host, n->yardstick, c->shape);
            *best = fmin(fmin(*best, c->known), estimate_alone(c->samples, c->samples_count));
        }
    }
    for (unsigned i = 0; i < res->unit_count; i++) {
        const struct unit_result *u = res->unit[i];
        for (unsigned k = 0; u && k < u->cases_count; k++) {
            const struct case_result *c = &u->cases[k];
            double *best = record_for(r, l, u, c);
            if (best)
                *best = fmin(*best, estimate_alone(c->samples, c->samples_count));
        }
    }
}

static const struct node_record *host_record(const struct run *r, const struct results *res,
                                             const struct node_record *n)
{
    if (strcmp(n->yardstick, r->assignment->yardstick) == 0)
        return NULL;
    for (unsigned i = 0; i < res->node_count; i++)
        if (strcmp(res->node[i]->host, n->host) == 0 &&
            strcmp(res->node[i]->yardstick, r->assignment->yardstick) == 0)
            return res->node[i];
    return NULL;
}

static void derive_nodes(const struct run *r, struct results *res, struct records *l)
{
    const double precision = r->assignment->performance.precision;
    for (unsigned i = 0; i < res->node_count; i++)
        for (unsigned k = 0; k < res->node[i]->calibrations_count; k++) {
            struct calibration *c = &res->node[i]->calibrations[k];
            c->record = *record_of(l, res->node[i]->host, res->node[i]->yardstick, c->shape);
        }
    /* Records that lack a baseline have that of another one, which is filled in first. */
    for (int with_host = 0; with_host < 2; with_host++)
        for (unsigned i = 0; i < res->node_count; i++) {
            const struct node_record *host = host_record(r, res, res->node[i]);
            if ((host != NULL) == with_host)
                node_record_derive(res->node[i], host, precision);
        }
}

/* Units are taken side by side. */
struct deriving {
    const struct run *run;
    struct records *records; /* complete: none is added */
    struct results *results;
};

static void derive_unit(void *arg, size_t i)
{
    const struct deriving *d = arg;
    struct unit_result *u = d->results->unit[i];
    for (unsigned k = 0; u && k < u->cases_count; k++) {
        const double *best = record_for(d->run, d->records, u, &u->cases[k]);
        case_result_derive(&u->cases[k], best ? *best : (double)NAN,
                           d->run->assignment->performance.precision);
    }
}

void results_derive(const struct run *r, struct results *res)
{
    struct records l = {0};
    collect_records(r, res, &l);
    derive_nodes(r, res, &l);
    parallel_for(res->unit_count, derive_unit, &(struct deriving){r, &l, res});
    free(l.item);
}
