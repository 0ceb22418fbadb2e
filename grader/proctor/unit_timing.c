#include "proctor/unit_timing.h"

#include <stdlib.h>
#include <string.h>

#include "measure/count_events.h"
#include "measure/device_profile.h"
#include "measure/measurement.h"
#include "model/cases.h"
#include "proctor/node_context.h"
#include "proctor/unit_check.h"
#include "proctor/unit_record.h"
#include "supervise/driver_pin.h"
#include "supervise/driver_start.h"

void unit_timing_select(struct unit_state *s, const struct timed_launch *l,
                        const struct cores *cores)
{
    s->spec.launch = l->launch;
    s->spec.library = l->library;
    s->cores = *cores;
    s->spec.cpus = s->cores.id;
    s->spec.cpu_count = s->cores.count;
}

/* The performance cases of the tier. The caller frees the list. */
static const struct test_case **sizes_of(const struct unit_job *job, size_t *n)
{
    const struct case_list *all = &job->node->run.cases;
    const struct test_case **size = xcalloc(all->count + 1, sizeof *size);
    *n = 0;
    for (size_t i = 0; i < all->count; i++)
        if (all->item[i].kind == CASE_PERFORMANCE &&
            case_applies(job->node->run.assignment, job->tier, &all->item[i]))
            size[(*n)++] = &all->item[i];
    return size;
}

static struct case_result *add_case(const struct unit_job *job, struct unit_result *r,
                                    const struct timed_launch *l, const struct test_case *c,
                                    const struct finding *f)
{
    const struct case_key key = {c->index, l->point, l->index, l->launch};
    struct case_result *cr = unit_record_case(r, &key, job->harness->cores.count);
    finding_store(f, cr);
    return cr;
}

int unit_timing_check_only(const struct unit_job *job, struct unit_state *s, struct unit_result *r,
                           const struct timed_launch *l, struct err *e)
{
    size_t n;
    const struct test_case **size = sizes_of(job, &n);
    int rc = 0;
    for (size_t i = 0; i < n && rc == 0 && !s->over && !s->wrong; i++) {
        if (!case_is_timed(job->node->run.assignment, job->tier, size[i], l->launch))
            continue;
        const struct case_task task = {
            size[i], case_first_run((unsigned)l->index) + CASE_RUNS_PER_LAUNCH / 2, 1};
        struct finding f = FINDING_INIT;
        rc = unit_check_case(job, s, r, &task, &f, e);
        if (rc == 0)
            add_case(job, r, l, size[i], &f);
    }
    free(size);
    return rc;
}

/* All launches that are timed together. */
struct timed_together {
    const struct unit_job *job;
    struct unit_state *state;
    struct unit_result *result;
    struct err *e;
    int rc;
};

/* One of them, for measurement_take(). */
struct timed {
    struct timed_together *all;
    const struct timed_launch *launch;
    struct cores cores;
    struct driver_spec spec; /* as its drivers are started */
};

static void start_process(void *with, struct outcome *o)
{
    struct timed *x = with;
    unit_timing_select(x->all->state, x->launch, &x->cores);
    unit_driver_start(x->all->job, x->all->state, o);
}

/* Find out why a size is wrong, or why the driver was lost there. */
static int attribute(const struct timed_together *t, struct series *failed)
{
    struct unit_state *s = t->state;
    s->case_index = failed->test_case->index;
    if (failed->outcome.kind == OUTCOME_OK) {
        s->wrong = true;
        if (unit_check_race(t->job, s, t->result, failed->test_case, &failed->finding,
                            &failed->outcome) == 0)
            return 0;
    }
    return unit_driver_lost(t->job, s, t->result, &failed->outcome, &failed->finding, t->e);
}

static bool end_process(void *with, struct series *failed)
{
    struct timed_together *t = ((struct timed *)with)->all;
    if (failed)
        t->rc = attribute(t, failed);
    unit_driver_end(t->state, t->result);
    /* What it has left could slow the yardstick, which is timed alone next. */
    node_context_end_orphans(t->job->node);
    return t->rc == 0 && (!failed || t->job->tier->sweep);
}

/* What the unit's first result says, when its times are taken up again. */
static void add_earlier(const struct unit_job *job, const struct timed_launch *l, struct series *s)
{
    for (unsigned i = 0; job->first && i < job->first->cases_count; i++) {
        const struct case_result *c = &job->first->cases[i];
        if (c->case_index != s->test_case->index || c->point != l->point ||
            c->launch_index != l->index || !c->samples_count)
            continue;
        s->sample = xcalloc(c->samples_count, sizeof *s->sample);
        memcpy(s->sample, c->samples, c->samples_count * sizeof *s->sample);
        s->count = s->room = c->samples_count;
        s->finding.runs = c->runs;
        s->finding.accuracy = c->accuracy;
        s->ranks_count = c->ranks_count;
        s->ranks = c->ranks_count ? xcalloc(c->ranks_count, sizeof *s->ranks) : NULL;
        for (unsigned k = 0; k < c->ranks_count; k++)
            s->ranks[k] = c->ranks[k];
    }
}

/* Those with the fewest workers run on the first cores of those with the most. */
static void choose_cores(const struct unit_job *job, struct timed *x, size_t n)
{
    struct cores widest;
    int most = 1;
    for (size_t i = 0; i < n; i++) {
        const int workers = launch_workers(launch_on_node(x[i].launch->launch));
        most = workers > most ? workers : most;
    }
    cores_quietest(&job->harness->cores, most, &widest);
    for (size_t i = 0; i < n; i++)
        cores_first(&widest, launch_workers(launch_on_node(x[i].launch->launch)), &x[i].cores);
}

/* Does the unit compute where its tier says? A device tells only when its driver has started.
 * False: it is missing, the driver fell back to the host, and nothing is timed. */
static bool is_where_it_belongs(struct timed_together *t)
{
    struct finding f = FINDING_INIT;
    if (!launch_kind_has(t->job->tier->kind, KIND_DEVICE))
        return true;
    t->rc = unit_driver_ensure(t->job, t->state, t->result, &f, t->e);
    const bool there =
        t->rc == 0 && f.verdict == VERDICT_PASS && t->state->driver.computes != FELL_BACK;
    unit_driver_end(t->state, t->result);
    return there;
}

/* What measurement_take() gets: a row for each launch. */
struct grid {
    struct timed *timed;
    struct timed_unit *unit;
    struct series *series;
    const struct test_case **size;
    size_t units, sizes;
};

static void grid_make(struct grid *g, struct timed_together *t, const struct timed_launch *l,
                      size_t n)
{
    const struct performance *p = &t->job->node->run.assignment->performance;
    g->units = n;
    g->size = sizes_of(t->job, &g->sizes);
    g->timed = xcalloc(n, sizeof *g->timed);
    g->unit = xcalloc(n, sizeof *g->unit);
    g->series = xcalloc(n * g->sizes + 1, sizeof *g->series);
    for (size_t i = 0; i < n; i++)
        g->timed[i] = (struct timed){.all = t, .launch = &l[i]};
    choose_cores(t->job, g->timed, n);
    for (size_t i = 0; i < n; i++) {
        unit_timing_select(t->state, &l[i], &g->timed[i].cores);
        g->timed[i].spec = t->state->spec;
        g->unit[i] = (struct timed_unit){.driver = &t->state->driver,
                                         .start = start_process,
                                         .end = end_process,
                                         .with = &g->timed[i],
                                         .spec = &g->timed[i].spec};
        for (size_t k = 0; k < g->sizes; k++) {
            struct series *s = &g->series[i * g->sizes + k];
            *s = (struct series){.test_case = g->size[k],
                                 .left_out = !case_is_timed(t->job->node->run.assignment,
                                                            t->job->tier, g->size[k], l[i].launch),
                                 .budget = 1e-3 * (double)p->budget_ms,
                                 .finding = FINDING_INIT};
            add_earlier(t->job, &l[i], s);
        }
    }
}

static void grid_record(struct grid *g, const struct timed_together *t)
{
    for (size_t i = 0; i < g->units * g->sizes; i++) {
        struct series *row = g->series + i / g->sizes * g->sizes;
        const size_t k = i % g->sizes;
        if (row[k].left_out)
            continue;
        measurement_store(row, g->sizes, k,
                          add_case(t->job, t->result, g->timed[i / g->sizes].launch, g->size[k],
                                   &row[k].finding));
    }
}

static void grid_free(struct grid *g)
{
    for (size_t i = 0; i < g->units * g->sizes; i++)
        series_free(&g->series[i]);
    free(g->series);
    free(g->size);
    free(g->unit);
    free(g->timed);
}

int unit_timing_take(const struct unit_job *job, struct unit_state *s, struct unit_result *r,
                     const struct timed_launch *l, size_t n, struct err *e)
{
    const struct assignment *a = job->node->run.assignment;
    struct timed_together t = {.job = job, .state = s, .result = r, .e = e};
    struct outcome o = {0};
    FREED_BY(grid_free) struct grid g = {0};
    if (!n)
        return 0;
    grid_make(&g, &t, l, n);
    const struct measurement_task task = {.unit = g.unit,
                                          .units = g.units,
                                          .what = "timing",
                                          .sizes = g.sizes,
                                          .precision = a->performance.precision,
                                          .limit_ms = a->limits.case_ms};
    if (g.sizes && is_where_it_belongs(&t)) {
        if (measurement_take(job->harness, &task, g.series, &o) != 0) {
            struct finding ignored = FINDING_INIT;
            t.rc = unit_driver_lost(job, s, r, &o, &ignored, e);
        }
        if (t.rc == 0)
            grid_record(&g, &t);
    }
    return t.rc;
}

static const struct test_case *largest_size(const struct unit_job *job)
{
    const struct kernel *k = job->harness->kernel;
    const struct test_case *largest = NULL;
    size_t n;
    const struct test_case **size = sizes_of(job, &n);
    for (size_t i = 0; i < n; i++)
        if (!largest || kernel_work(k, size[i]->shape) > kernel_work(k, largest->shape))
            largest = size[i];
    free(size);
    return largest;
}

void unit_timing_profile(const struct unit_job *job, struct unit_state *s, struct unit_result *r)
{
    struct device_profile *p = &r->profile;
    const struct test_case *c = largest_size(job);
    struct finding f = FINDING_INIT;
    struct err e = ERR_INIT;
    struct outcome o;
    if (!launch_kind_has(job->tier->kind, KIND_PROFILER) || !c || s->wrong || s->over ||
        unit_driver_ensure(job, s, r, &f, &e) != 0 || f.verdict != VERDICT_PASS ||
        s->driver.computes == FELL_BACK)
        return;
    if (device_profile_take(job->harness, &s->driver, c, p, &o) != 0) {
        p->count = 0;
        driver_end(&s->driver);
    }
}

int unit_timing_count(const struct unit_job *job, struct unit_state *s, struct unit_result *r,
                      int launch_index)
{
    const struct node_context *n = job->node;
    struct outcome o = {0};
    for (unsigned i = 0; i < r->cases_count && o.kind == OUTCOME_OK; i++) {
        struct case_result *c = &r->cases[i];
        if (c->launch_index != launch_index || !c->samples_count)
            continue;
        if (!driver_alive(&s->driver))
            unit_driver_start(job, s, &o);
        if (o.kind != OUTCOME_OK)
            break;
        driver_pin(&s->driver, s->cores.id, s->cores.count);
        count_events(job->harness, &s->driver, &n->run.cases.item[c->case_index],
                     (unsigned)c->samples[c->samples_count - 1].reps, &c->counters, &o);
    }
    if (driver_alive(&s->driver))
        driver_end(&s->driver);
    return o.kind == OUTCOME_OK ? 0 : -1;
}
