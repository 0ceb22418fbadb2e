#include "proctor/unit_record.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/plural.h"
#include "base/strbuf.h"
#include "supervise/driver_limits.h"
#include "supervise/other_node_start.h"
#include "supervise/visible_gpu.h"

struct unit_result *unit_record_new(const struct node_context *n, const struct unit *u)
{
    struct unit_result *r = unit_result_new(u->id);
    char now[32];
    clock_utc(now, sizeof now);
    unit_record_text(&r->host, xstrdup(n->host));
    unit_record_text(&r->job, xstrdup(n->job));
    unit_record_text(&r->started, xstrdup(now));
    return r;
}

void unit_record_text(char **field, char *text)
{
    if (!text)
        return;
    free(*field);
    *field = text;
}

void unit_record_workers(const struct tier *t, struct launch l, char out[RECORD_WORKERS])
{
    out[0] = '\0';
    const bool ranks = launch_kind_has(t->kind, KIND_RANKS);
    if (ranks && l.threads > 1)
        snprintf(out, RECORD_WORKERS, ", %d %s x %d threads", l.ranks,
                 plural((unsigned)l.ranks, "rank", "ranks"), l.threads);
    else if (ranks)
        snprintf(out, RECORD_WORKERS, ", %d %s", l.ranks,
                 plural((unsigned)l.ranks, "rank", "ranks"));
    else if (l.gpus > 1)
        snprintf(out, RECORD_WORKERS, ", %d GPUs", l.gpus);
    else if (l.threads > 1)
        snprintf(out, RECORD_WORKERS, ", %d threads", l.threads);
}

void unit_record_verdict(struct unit_result *r, enum verdict v, char *message)
{
    r->verdict = v;
    unit_record_text(&r->message, message);
}

bool launch_oversubscribed(struct launch l, int cores)
{
    return launch_workers(launch_on_node(l)) > cores ||
           (l.nodes > 1 && !other_nodes_possible(l.nodes)) ||
           (l.gpus && launch_gpus(launch_on_node(l)) > visible_gpus_count());
}

struct case_result *unit_record_case(struct unit_result *r, const struct case_key *k, int cores)
{
    r->cases = xrealloc_array(r->cases, r->cases_count + 1, sizeof *r->cases);
    struct case_result *cr = &r->cases[r->cases_count++];
    *cr = (struct case_result){.case_index = k->case_index,
                               .point = k->point,
                               .launch_index = k->launch_index,
                               .launch = k->launch,
                               .oversubscribed = launch_oversubscribed(k->launch, cores)};
    cr->cores_used = cr->busiest = (double)NAN;
    cr->accuracy = (struct accuracy){(double)NAN, (double)NAN};
    cr->estimate = estimate_of(NULL, 0, (double)NAN, 0);
    return cr;
}

void unit_record_failure(struct unit_result *r, struct driver_process *d, int case_index)
{
    driver_await_output(d);
    unit_record_text(&r->last_output, xstrdup(d->output.s));
    if (r->output_case >= 0)
        return;
    unit_record_text(&r->output, xstrdup(d->output.s));
    r->output_case = case_index;
}

void unit_record_output(struct unit_result *r, const struct driver_process *d)
{
    if (!r->output[0] && r->output_case < 0)
        unit_record_text(&r->output, xstrdup(d->output.s));
}

void unit_record_driver(struct unit_result *r, const struct driver_process *d)
{
    unit_record_output(r, d);
    if (d->computes != ON_CORES && d->device[0])
        unit_record_text(&r->device,
                         xstrdup(d->computes == FELL_BACK ? DEVICE_FELL_BACK : d->device));
    if ((double)d->peak_memory > r->peak_memory)
        r->peak_memory = (double)d->peak_memory;
}
