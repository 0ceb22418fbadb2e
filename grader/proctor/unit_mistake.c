/*
 * The source of a mistake takes the place of the trusted source. If the unit is right then, in
 * cases in which it was wrong, its results are those of the mistake.
 */
#include "proctor/unit_mistake.h"

#include "base/clock.h"
#include "measure/harness_check.h"
#include "proctor/node_answers.h"
#include "proctor/unit_cause.h"
#include "proctor/unit_driver.h"
#include "proctor/unit_record.h"
#include "supervise/driver_start.h"

/* Cases are compared, in so many runs together with values of their own. The first run of each case
 * is one that failed. */
enum { CASES = 4, RUNS = 8 };

/* Of all mistakes together. */
#define ALL_NS UINT64_C(5000000000)

/* The values decided, no race and nothing that memory held. */
static bool is_steady(const struct case_result *c)
{
    return c->verdict == VERDICT_WRONG_ANSWER && c->cause == CAUSE_NONE && c->case_index >= 0 &&
           c->failed_run != RUN_UNKNOWN;
}

/* The first such cases, under the launch of the first one. */
static size_t choose(const struct unit_result *r, const struct case_result *chosen[CASES])
{
    size_t n = 0;
    for (unsigned i = 0; i < r->cases_count && n < CASES; i++)
        if (is_steady(&r->cases[i]) && (!n || launch_equal(r->cases[i].launch, chosen[0]->launch)))
            chosen[n++] = &r->cases[i];
    return n;
}

bool unit_mistake_is_gone(const struct unit_job *job, struct unit_state *s,
                          const struct unit_result *r)
{
    const struct case_result *cases[CASES];
    const size_t n = choose(r, cases);
    struct outcome o = {0};
    if (!n)
        return false;
    s->spec.launch = cases[0]->launch;
    unit_driver_start(job, s, &o);
    bool right = o.kind == OUTCOME_OK;
    for (size_t i = 0; i < n && right; i++) {
        const struct test_case *c = &job->node->run.cases.item[cases[i]->case_index];
        const struct check_task check = {&s->driver, c, cases[i]->failed_run, RUNS / (int)n, 1};
        struct finding f = FINDING_INIT;
        right = harness_check(job->harness, &check, &f, &o) == 0 && f.verdict == VERDICT_PASS;
    }
    if (driver_alive(&s->driver))
        driver_end(&s->driver);
    return right;
}

static bool is_this(const struct unit_job *job, struct unit_state *s, const struct unit_result *r,
                    int mistake)
{
    struct mistaken_answers m;
    struct err ignored = ERR_INIT;
    const bool found = node_answers_mistake(job->node, job->harness, mistake, &m, &ignored) == 0 &&
                       unit_mistake_is_gone(job, s, r);
    node_answers_trust_again(job->harness, &m);
    return found;
}

void unit_mistake_find(const struct unit_job *job, struct unit_state *s, struct unit_result *r)
{
    const struct kernel_file *f = job->tier->kernel->file;
    const struct case_result *cases[CASES];
    const uint64_t start = clock_mono_ns();
    /* A check decides by itself, and asks nobody what is right. */
    if (!f || f->check || r->verdict != VERDICT_WRONG_ANSWER ||
        !unit_cause_is_sought(job, unit_result_first_failure(r)) || !choose(r, cases))
        return;
    s->spec.cpus = job->harness->cores.id;
    s->spec.cpu_count = job->harness->cores.count;
    for (int i = 0; i < f->mistakes; i++) {
        if (clock_mono_ns() - start > ALL_NS || clock_mono_ns() > s->deadline)
            return;
        if (is_this(job, s, r, i)) {
            unit_result_remark(r, "a mistake that gives the same wrong results: %s",
                               f->mistake[i].says);
            return;
        }
    }
}
