#include "proctor/unit_timing.h"

#include "measure/device_profile.h"
#include "measure/measurement.h"
#include "proctor/unit_check.h"
#include "proctor/unit_record.h"
#include "supervise/driver_start.h"

/* What a launch may spend on waiting for an undisturbed node, beyond the budgets of its sizes: the
 * budgets of so many sizes, at whichever size needs it. A node is slow for seconds, and sometimes
 * for half a minute. */
enum { WAIT_BUDGETS = 5 };

/* What a restart needs. */
struct restart_context {
    const struct unit_job *job;
    struct unit_state *state;
    struct unit_result *result;
};

static void restart(void *with, struct outcome *o)
{
    const struct restart_context *x = with;
    unit_driver_restart(x->job, x->state, x->result, o);
}

/* What is known about a case: from its check, and from its timing. */
struct timed_case {
    struct finding finding;
    struct measurement measurement;
};

/* Time a case that passed its check; fills x->measurement and adds to x->finding. 0, or -1 for
 * infrastructure trouble. */
static int time_case(const struct unit_job *job, struct unit_state *s, struct unit_result *r,
                     const struct test_case *c, struct timed_case *x, struct err *e)
{
    const struct assignment *a = job->node->run.assignment;
    const struct measurement_task task = {.test_case = c,
                                          .performance = &a->performance,
                                          .hint = x->finding.seconds,
                                          .limit_ms = a->limits.case_ms};
    /* How ranks find each other, and where their buffers are, is different in each process. */
    struct restart_context context = {job, s, r};
    const struct restart again = {restart, &context};
    struct timed_unit unit = {.driver = &s->driver,
                              .restart =
                                  launch_kind_has(job->tier->kind, KIND_RANKS) ? &again : NULL,
                              .finding = &x->finding};
    struct outcome o;
    int rc = measurement_take(job->harness, &task, &unit, &s->wait_budget_ms, &o);
    x->measurement = unit.measurement;
    if (rc == 0 && x->finding.verdict != VERDICT_PASS) {
        s->wrong = true;
        rc = unit_check_race(job, s, r, c, &x->finding, &o);
    }
    if (rc == 0)
        return 0;
    x->measurement.samples_count = 0; /* they are not kept */
    return unit_driver_lost(job, s, r, &o, &x->finding, e);
}

int unit_timing_launch(const struct unit_job *job, struct unit_state *s, struct unit_result *r,
                       const struct launch_task *l, struct err *e)
{
    const struct node_context *n = job->node;
    const int cores = job->harness->cores.count;
    s->wait_budget_ms = WAIT_BUDGETS * n->run.assignment->performance.budget_ms;
    if (driver_fell_back(&s->driver))
        return 0;
    for (size_t i = 0; i < n->run.cases.count && !s->over && !s->wrong; i++) {
        const struct test_case *c = &n->run.cases.item[i];
        /* Two runs: the first one pays for pages and threads, so it is a bad first guess. */
        const struct case_task task = {c, l->first_run, 2};
        struct timed_case x = {.finding = FINDING_INIT};
        if (c->kind != CASE_PERFORMANCE || !case_applies(n->run.assignment, job->tier, c))
            continue;
        int rc = unit_check_case(job, s, r, &task, &x.finding, e);
        if (rc == 0 && x.finding.verdict == VERDICT_PASS &&
            !launch_oversubscribed(l->launch, cores))
            rc = time_case(job, s, r, c, &x, e);
        const struct case_key key = {c->index, 0, l->index, l->launch};
        struct case_result *cr = unit_record_case(r, &key, cores);
        finding_store(&x.finding, cr);
        measurement_store(&x.measurement, cr);
        if (rc != 0)
            return -1;
    }
    return 0;
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
    struct outcome o;
    if (!launch_kind_has(job->tier->kind, KIND_PROFILER) || !c || s->wrong || s->over ||
        !driver_alive(&s->driver))
        return;
    if (device_profile_take(job->harness, &s->driver, c, p, &o) != 0) {
        p->count = 0;
        driver_end(&s->driver);
    }
}
