#include "model/result.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"

static const char *const activities[] = {"api", "kernel", "copy"};

const char *activity_name(enum activity a)
{
    return activities[a];
}

double profile_share(const struct device_profile *p, unsigned row)
{
    double sum = 0;
    bool call = p->row[row].activity == ACTIVITY_API;
    for (unsigned i = 0; i < p->count; i++)
        if ((p->row[i].activity == ACTIVITY_API) == call)
            sum += p->row[i].seconds;
    return sum > 0 ? p->row[row].seconds / sum : 0;
}

void rank_work_add(struct rank_work *sum, const struct rank_work *more)
{
    const uint64_t room = RANK_BYTES_MOST - sum->bytes;
    sum->compute_seconds += more->compute_seconds;
    sum->mpi_seconds += more->mpi_seconds;
    sum->bytes += more->bytes < room ? more->bytes : room;
    sum->shared |= more->shared;
}

struct unit_result *unit_result_new(const char *unit_id)
{
    struct unit_result *r = xcalloc(1, sizeof *r);
    r->unit_id = xstrdup(unit_id);
    r->protections = PROTECTIONS_UNKNOWN;
    r->output_case = -1;
#define TEXT(field) r->field = xstrdup("");
    UNIT_RESULT_TEXTS(TEXT)
#undef TEXT
    return r;
}

void unit_result_free(struct unit_result *r)
{
    if (!r)
        return;
    free(r->unit_id);
#define TEXT(field) free(r->field);
    UNIT_RESULT_TEXTS(TEXT)
#undef TEXT
    free(r->profile.row);
    free(r->last_output);
    free(r->numbers);
    for (unsigned i = 0; i < r->cases_count; i++) {
        free(r->cases[i].samples);
        free(r->cases[i].output);
        free(r->cases[i].ranks);
    }
    free(r->cases);
    free(r);
}

/* The run with the most busy cores tells: a program that works in parallel does so in some runs
 * even on a busy node, and one that does not never does. */
void case_result_derive(struct case_result *c, double record, double precision)
{
    c->estimate = estimate_of(c->samples, c->samples_count, record, precision);
    c->cores_used = c->busiest = (double)NAN;
    for (unsigned i = 0; i < c->samples_count; i++) {
        const struct sample *s = &c->samples[i];
        if (isnan(s->cores) || s->cores <= c->cores_used)
            continue;
        c->cores_used = s->cores;
        c->busiest = s->busiest;
    }
}

void unit_result_remark(struct unit_result *r, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    OWNED char *line = xvasprintf(fmt, ap);
    va_end(ap);
    char *all = xasprintf("%s%s%.*s", r->remarks, *r->remarks ? "\n" : "", REMARK_MOST, line);
    free(r->remarks);
    r->remarks = all;
}

enum computes unit_result_computes(const struct unit_result *r)
{
    return !*r->device                                ? ON_CORES
           : strcmp(r->device, DEVICE_FELL_BACK) == 0 ? FELL_BACK
                                                      : ON_DEVICE;
}

void node_record_free(struct node_record *n)
{
    if (!n)
        return;
    free(n->host);
    free(n->yardstick);
    free(n->model);
    free(n->started);
    free(n->kernel);
    free(n->microcode);
    free(n->driver);
    for (unsigned i = 0; i < n->calibrations_count; i++)
        free(n->calibrations[i].samples);
    free(n->calibrations);
    free(n->ceilings);
    free(n);
}

/* fmin() ignores what is unknown. If the yardstick was slow beside the baseline, the baseline was
 * slow as well, so their ratio has the yardstick's time as it was. */
void node_record_derive(struct node_record *n, const struct node_record *host, double precision)
{
    for (unsigned i = 0; i < n->calibrations_count; i++) {
        struct calibration *c = &n->calibrations[i];
        const struct calibration *base = node_calibration(host, c->shape);
        const double known = c->record > 0 ? c->record : c->known;
        c->record = fmin(known, estimate_alone(c->samples, c->samples_count));
        const struct estimate e = estimate_of(c->samples, c->samples_count, c->record, precision);
        c->baseline = base ? base->baseline : e.seconds;
        c->ratio = stats_scaled(c->baseline, 1 / (base ? c->record : e.yardstick));
        c->confirmed = base ? base->confirmed : e.confirmed;
        if (!e.starts && !base)
            c->baseline = c->ratio = stats_unknown();
    }
}

void node_record_forget_unconfirmed(struct node_record *n, double precision)
{
    node_record_derive(n, NULL, precision);
    for (unsigned i = 0; i < n->calibrations_count; i++) {
        struct calibration *c = &n->calibrations[i];
        unsigned kept = 0;
        for (unsigned k = 0; k < c->samples_count && !c->confirmed; k++)
            if (!(c->samples[k].unit > 0))
                c->samples[kept++] = c->samples[k];
        if (!c->confirmed) {
            c->known = c->record;
            c->samples_count = kept;
        }
    }
}

/* The ceiling of the largest measured number of workers that is not above `workers`, or NULL. */
static const struct ceiling *ceiling_below(const struct node_record *n, int workers)
{
    const struct ceiling *below = NULL;
    for (unsigned i = 0; i < n->ceilings_count; i++)
        if (n->ceilings[i].workers <= workers)
            below = &n->ceilings[i];
    return below;
}

double node_peak(const struct node_record *n, int workers)
{
    if (n->device)
        return n->peak_gops;
    const struct ceiling *c = ceiling_below(n, workers);
    return c ? c->gops * workers / c->workers : n->peak_gops * workers;
}

double node_type_peak(const struct node_record *n, enum element_type type, int workers)
{
    const struct ceiling *c = ceiling_below(n, n->device ? 1 : workers);
    if (!c)
        return (double)NAN;
    return n->device ? c->type_gops[type] : c->type_gops[type] * workers / c->workers;
}

/* fmax() ignores what is unknown. */
static double bandwidth(const struct ceiling *c)
{
    return fmax(c->gbs, c->triad_gbs);
}

double node_bandwidth(const struct node_record *n, int workers)
{
    const struct ceiling *c = ceiling_below(n, n->device ? 1 : workers);
    if (!c)
        return n->device || workers == 1 ? n->bandwidth_gbs : (double)NAN;
    if (n->device || c->workers == workers || c + 1 == n->ceilings + n->ceilings_count)
        return bandwidth(c);
    const double part = (double)(workers - c->workers) / (c[1].workers - c->workers);
    return bandwidth(c) + part * (bandwidth(c + 1) - bandwidth(c));
}

double launch_peak(const struct node_record *n, struct launch l)
{
    return n->device ? launch_gpus(l) * node_peak(n, 1)
                     : launch_nodes(l) * node_peak(n, launch_workers(launch_on_node(l)));
}

double launch_bandwidth(const struct node_record *n, struct launch l)
{
    return n->device ? launch_gpus(l) * node_bandwidth(n, 1)
                     : launch_nodes(l) * node_bandwidth(n, launch_workers(launch_on_node(l)));
}

const struct calibration *node_calibration(const struct node_record *n, struct shape s)
{
    for (unsigned i = 0; n && i < n->calibrations_count; i++)
        if (shape_equal(n->calibrations[i].shape, s))
            return &n->calibrations[i];
    return NULL;
}

/* How much a failed case says about the mistake. A matrix of some size that is right in part shows
 * where the mistake lies; a single wrong element does not. A cause that trials have shown says
 * most. A race, whose wrong elements may be anywhere, says more than any pattern, unless one worker
 * alone makes mistakes, too. The more often it shows, the easier it is to see again. */
static double telling(const struct case_result *c, bool alone_failed)
{
    const struct mismatch *m = &c->mismatch;
    if (c->cause != CAUSE_NONE && c->cause != CAUSE_RACE)
        return 6;
    if (c->cause == CAUSE_RACE && !alone_failed)
        return 4 + (c->runs > 0 ? (double)c->failed_runs / c->runs : 0);
    if (!m->present)
        return 1;
    if (isfinite(c->accuracy.rms) && m->total >= 64)
        return 3.5; /* how wrong all of it is says something, too */
    if (m->wrong < m->total)
        return m->total >= 64 ? 3 : 2;
    return m->total > 1 ? 1 : 0;
}

const struct case_result *unit_result_first_failure(const struct unit_result *r)
{
    const struct case_result *best = NULL;
    bool alone = false;
    for (unsigned i = 0; i < r->cases_count; i++) {
        const struct case_result *c = &r->cases[i];
        alone = alone || (c->verdict != VERDICT_PASS && launch_workers(c->launch) == 1);
    }
    for (unsigned i = 0; i < r->cases_count; i++) {
        const struct case_result *c = &r->cases[i];
        if (c->verdict == r->verdict && (!best || telling(c, alone) > telling(best, alone)))
            best = c;
    }
    return best;
}

void unit_result_lead(struct unit_result *r, const char *cause)
{
    const struct case_result *first = unit_result_first_failure(r);
    struct case_result *failed = first ? &r->cases[first - r->cases] : NULL;
    if (!failed)
        return;
    OWNED char *all = xasprintf("%s; %s", cause, failed->message);
    size_t n = strlen(all);
    if (n >= sizeof failed->message) {
        n = sizeof failed->message - sizeof " ...";
        while (n && all[n] != ' ')
            n--;
        memcpy(all + n, " ...", sizeof " ...");
    }
    snprintf(failed->message, sizeof failed->message, "%s", all);
}
