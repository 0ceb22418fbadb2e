#include "proctor/unit_right.h"

#include <stdlib.h>

#include "base/strbuf.h"
#include "measure/harness_check.h"
#include "proctor/unit_driver.h"
#include "supervise/driver_start.h"

/* Cases are compared, in so many runs together with values of their own. The first run of each case
 * is one that failed. */
enum { CASES = 4, RUNS = 8 };

/* The values decided, no race and nothing that memory held. */
static bool is_steady(const struct case_result *c)
{
    return c->verdict == VERDICT_WRONG_ANSWER && c->cause == CAUSE_NONE && c->case_index >= 0 &&
           c->failed_run != RUN_UNKNOWN;
}

/* Such cases under the launch of the first one: that one, the last one, and others between them,
 * since neighbours in the list are alike. */
static size_t choose(const struct unit_result *r, const struct case_result *chosen[CASES])
{
    const struct case_result **all = xcalloc(r->cases_count + 1, sizeof(*all));
    size_t n = 0, count = 0;
    for (unsigned i = 0; i < r->cases_count; i++)
        if (is_steady(&r->cases[i]) && (!n || launch_equal(r->cases[i].launch, all[0]->launch)))
            all[n++] = &r->cases[i];
    for (; count < n && count < CASES; count++)
        chosen[count] = n <= CASES ? all[count] : all[count * (n - 1) / (CASES - 1)];
    free(all);
    return count;
}

bool unit_right_can_tell(const struct unit_result *r)
{
    const struct case_result *cases[CASES];
    return choose(r, cases) > 0;
}

bool unit_right_now(const struct unit_job *job, struct unit_state *s, const struct unit_result *r,
                    const struct launch *launch)
{
    const struct case_result *cases[CASES];
    const size_t n = choose(r, cases);
    struct outcome o = {0};
    if (!n)
        return false;
    s->spec.launch = launch ? *launch : cases[0]->launch;
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
