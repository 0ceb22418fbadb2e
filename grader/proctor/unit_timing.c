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

static void restart(void *with, struct outcome *o)
{
    unit_driver_restart(with, o);
}

/* Time a case that passed its check. *m: what was measured. 0, or -1 for infrastructure trouble. */
static int time_case(struct unit_work *w, const struct test_case *c, struct finding *f,
                     struct measurement *m, int64_t *wait_budget_ms, struct err *e)
{
    const struct assignment *a = w->job->node->run.assignment;
    const struct measurement_task task = {.test_case = c,
                                          .performance = &a->performance,
                                          .hint = f->seconds,
                                          .limit_ms = a->limits.case_ms};
    /* How ranks find each other, and where their buffers are, is different in each process. */
    const struct restart again = {restart, w};
    struct timed_unit unit = {.driver = &w->driver,
                              .restart =
                                  launch_kind_has(w->job->tier->kind, KIND_RANKS) ? &again : NULL,
                              .finding = f};
    struct outcome o;
    int rc = measurement_take(w->harness, &task, &unit, wait_budget_ms, &o);
    *m = unit.measurement;
    if (rc == 0 && f->verdict != VERDICT_PASS) {
        w->wrong = true;
        rc = unit_check_race(w, c, f, &o);
    }
    if (rc == 0)
        return 0;
    m->samples_count = 0; /* they are not kept */
    return unit_driver_lost(w, &o, f, e);
}

int unit_timing_launch(struct unit_work *w, const struct launch_task *l, struct err *e)
{
    const struct node_context *n = w->job->node;
    const int cores = w->harness->cores.count;
    int64_t wait_budget_ms = WAIT_BUDGETS * n->run.assignment->performance.budget_ms;
    if (driver_fell_back(&w->driver))
        return 0;
    for (size_t i = 0; i < n->run.cases.count && !w->over && !w->wrong; i++) {
        const struct test_case *c = &n->run.cases.item[i];
        struct finding f = FINDING_INIT;
        struct measurement m = {0};
        if (c->kind != CASE_PERFORMANCE || !case_applies(n->run.assignment, w->job->tier, c))
            continue;
        /* Two runs: the first one pays for pages and threads, so it is a bad first guess. */
        int rc = unit_check_case(w, c, l->first_run, 2, &f, e);
        if (rc == 0 && f.verdict == VERDICT_PASS && !launch_oversubscribed(l->launch, cores))
            rc = time_case(w, c, &f, &m, &wait_budget_ms, e);
        const struct case_key key = {c->index, 0, l->index, l->launch};
        struct case_result *cr = unit_record_case(w->result, &key, cores);
        finding_store(&f, cr);
        measurement_store(&m, cr);
        if (rc != 0)
            return -1;
    }
    return 0;
}

static const struct test_case *largest_size(const struct unit_work *w)
{
    const struct node_context *n = w->job->node;
    const struct kernel *k = w->harness->kernel;
    const struct test_case *largest = NULL;
    for (size_t i = 0; i < n->run.cases.count; i++) {
        const struct test_case *c = &n->run.cases.item[i];
        if (c->kind == CASE_PERFORMANCE && case_applies(n->run.assignment, w->job->tier, c) &&
            (!largest || k->operations(c->shape) > k->operations(largest->shape)))
            largest = c;
    }
    return largest;
}

void unit_timing_profile(struct unit_work *w)
{
    struct device_profile *p = &w->result->profile;
    const struct test_case *c = largest_size(w);
    struct outcome o;
    if (!launch_kind_has(w->job->tier->kind, KIND_PROFILER) || !c || w->wrong || w->over ||
        !driver_alive(&w->driver))
        return;
    if (device_profile_take(w->harness, &w->driver, c, p, &o) != 0) {
        p->count = 0;
        driver_end(&w->driver);
    }
}
