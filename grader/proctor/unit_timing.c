#include "proctor/unit_timing.h"

#include "measure/count_events.h"
#include "measure/device_profile.h"
#include "measure/measurement.h"
#include "measure/timed_blocks.h"
#include "proctor/node_context.h"
#include "proctor/unit_check.h"
#include "proctor/unit_record.h"
#include "supervise/driver_pin.h"
#include "supervise/driver_start.h"

/* The unit, for measurement_take(). */
struct timed {
    const struct unit_job *job;
    struct unit_state *state;
    struct unit_result *result;
};

static void end_process(void *with)
{
    const struct timed *x = with;
    unit_driver_end(x->state, x->result);
    /* What it has left could slow the yardstick, which is timed alone next. */
    node_context_end_orphans(x->job->node);
}

static void start_process(void *with, struct outcome *o)
{
    const struct timed *x = with;
    unit_driver_start(x->job, x->state, o);
}

/* The sizes of one launch that passed their check. Both arrays have room for all cases. */
struct sizes {
    struct timed_size *timed;
    struct finding *findings;
    size_t count;
};

/* Check each size. Those that cannot be timed are recorded. */
static int check_sizes(const struct unit_job *job, struct unit_state *s, struct unit_result *r,
                       const struct launch_task *l, struct sizes *z, struct err *e)
{
    const struct node_context *n = job->node;
    const int cores = job->harness->cores.count;
    for (size_t i = 0; i < n->run.cases.count && !s->over && !s->wrong; i++) {
        const struct test_case *c = &n->run.cases.item[i];
        struct case_task task = {c, l->first_run, 1};
        struct finding f = FINDING_INIT;
        if (c->kind != CASE_PERFORMANCE || !case_applies(n->run.assignment, job->tier, c))
            continue;
        if (unit_check_case(job, s, r, &task, &f, e) != 0)
            return -1;
        task.first_run++;
        /* The first run pays for pages and threads, so it is a bad first guess if it is short. */
        if (f.verdict == VERDICT_PASS && f.seconds <= WARM_UP_MOST &&
            unit_check_case(job, s, r, &task, &f, e) != 0)
            return -1;
        if (f.verdict == VERDICT_PASS && !launch_oversubscribed(l->launch, cores)) {
            z->findings[z->count] = f;
            const int64_t budget = tier_budget_ms(n->run.assignment, job->tier, c->shape);
            z->timed[z->count++] = (struct timed_size){c, f.seconds, 1e-3 * (double)budget};
            continue;
        }
        const struct case_key key = {c->index, 0, l->index, l->launch};
        finding_store(&f, unit_record_case(r, &key, cores));
    }
    return 0;
}

/* Find out why a size is wrong, or why the driver was lost there. *o: how it was lost. */
static int attribute(const struct unit_job *job, struct unit_state *s, struct unit_result *r,
                     const struct test_case *c, struct finding *f, struct outcome *o, struct err *e)
{
    if (o->kind == OUTCOME_OK && f->verdict == VERDICT_PASS)
        return 0;
    s->case_index = c->index;
    if (o->kind == OUTCOME_OK) {
        s->wrong = true;
        if (unit_check_race(job, s, r, c, f, o) == 0)
            return 0;
    }
    return unit_driver_lost(job, s, r, o, f, e);
}

static int time_sizes(const struct unit_job *job, struct unit_state *s, struct unit_result *r,
                      struct sizes *z, struct measurement *m, struct err *e)
{
    const struct assignment *a = job->node->run.assignment;
    struct timed timed = {job, s, r};
    const struct timed_unit unit = {&s->driver, end_process, start_process, &timed};
    const struct measurement_task task = {.sizes = z->timed,
                                          .sizes_count = z->count,
                                          .units = &unit,
                                          .units_count = 1,
                                          .precision = a->performance.precision,
                                          .trials = (size_t)a->performance.trials,
                                          .limit_ms = a->limits.case_ms};
    struct outcome o;
    int rc = measurement_take(job->harness, &task, z->findings, m, &o);
    if (rc != 0)
        rc = unit_driver_lost(job, s, r, &o, &z->findings[0], e);
    for (size_t i = 0; i < z->count && rc == 0; i++)
        rc = attribute(job, s, r, z->timed[i].test_case, &z->findings[i], &m[i].outcome, e);
    return rc;
}

int unit_timing_launch(const struct unit_job *job, struct unit_state *s, struct unit_result *r,
                       const struct launch_task *l, struct err *e)
{
    const struct assignment *a = job->node->run.assignment;
    const size_t cases = job->node->run.cases.count;
    struct sizes z = {.timed = xcalloc(cases + 1, sizeof *z.timed),
                      .findings = xcalloc(cases + 1, sizeof *z.findings)};
    struct measurement *m = xcalloc(cases + 1, sizeof *m);
    int rc = driver_fell_back(&s->driver) ? 0 : check_sizes(job, s, r, l, &z, e);
    if (rc == 0 && z.count && !s->wrong && !s->over)
        rc = time_sizes(job, s, r, &z, m, e);
    for (size_t i = 0; i < z.count; i++) {
        const struct case_key key = {z.timed[i].test_case->index, 0, l->index, l->launch};
        struct case_result *cr = unit_record_case(r, &key, job->harness->cores.count);
        finding_store(&z.findings[i], cr);
        if (z.findings[i].verdict == VERDICT_PASS) /* other times are not kept */
            measurement_store(&m[i], a->performance.precision, cr);
        measurement_free(&m[i]);
    }
    free(m);
    free(z.timed);
    free(z.findings);
    return rc;
}

static const struct test_case *largest_size(const struct unit_job *job)
{
    const struct node_context *n = job->node;
    const struct kernel *k = job->harness->kernel;
    const struct test_case *largest = NULL;
    for (size_t i = 0; i < n->run.cases.count; i++) {
        const struct test_case *c = &n->run.cases.item[i];
        if (c->kind == CASE_PERFORMANCE && case_applies(n->run.assignment, job->tier, c) &&
            (!largest || k->operations(c->shape) > k->operations(largest->shape)))
            largest = c;
    }
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
        driver_fell_back(&s->driver))
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
        if (c->launch_index != launch_index || !c->blocks_count)
            continue;
        if (!driver_alive(&s->driver))
            unit_driver_start(job, s, &o);
        if (o.kind != OUTCOME_OK)
            break;
        driver_pin(&s->driver, s->cores.id, s->cores.count);
        count_events(job->harness, &s->driver, &n->run.cases.item[c->case_index],
                     (unsigned)c->blocks[c->blocks_count - 1].reps, &c->counters, &o);
    }
    if (driver_alive(&s->driver))
        driver_end(&s->driver);
    return o.kind == OUTCOME_OK ? 0 : -1;
}
