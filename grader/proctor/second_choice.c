#include "proctor/second_choice.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/strbuf.h"
#include "model/cases.h"

struct launch second_launch(const struct unit_job *job)
{
    const struct assignment *a = job->node->run.assignment;
    struct launch best = launch_here(1, 1);
    const int cores = job->harness->cores.count;
    for (unsigned i = 0; i < tier_check_count(a, job->tier); i++) {
        const unsigned launches = tier_launch_count(job->tier);
        const struct launch l =
            i < launches ? tier_launch(job->tier, i) : tier_stress(a, job->tier, i - launches);
        const int n = launch_workers(l), m = launch_workers(best);
        if (l.nodes > 1) /* one node shows the same mistakes */
            continue;
        if (i == 0 || (n > 1 && m == 1) || (n > m && n <= cores) || (n > 1 && n < m && m > cores))
            best = l;
    }
    return best;
}

bool second_is_wanted(const struct unit_job *job, uint64_t deadline, enum verdict before)
{
    const struct node_context *n = job->node;
    const struct plan *p = n->run.plan;
    const struct assignment *a = n->run.assignment;
    const uint64_t half = (uint64_t)a->limits.unit_ms * 1000000 / 2;
    /* A class without times is a rehearsal: nobody reads remarks. */
    const bool read = !p->submissions[job->unit->submission].is_reference &&
                      (!a->only.untimed || p->self_test) && job->selection->case_index < 0;
    const bool helps = before == VERDICT_PASS || before == VERDICT_WRONG_ANSWER ||
                       before == VERDICT_CRASH || before == VERDICT_WROTE_OUT_OF_BOUNDS;
    return a->sanitized != SANITIZED_OFF && read && helps && !job->first &&
           (!launch_kind_has(job->tier->kind, KIND_DEVICE) ||
            launch_kind_has(job->tier->kind, KIND_DEVICE_TOOLS)) &&
           clock_mono_ns() + half < deadline;
}

struct choice {
    const struct test_case *item;
    double operations;
};

static int cheapest_first(const void *a, const void *b)
{
    const double x = ((const struct choice *)a)->operations,
                 y = ((const struct choice *)b)->operations;
    return (x > y) - (x < y);
}

const struct test_case **second_cases(const struct unit_job *job, size_t *count)
{
    const struct case_list *all = &job->node->run.cases;
    OWNED struct choice *c = xcalloc(all->count + 1, sizeof *c);
    size_t n = 0;
    for (size_t i = 0; i < all->count; i++) {
        const struct test_case *item = &all->item[i];
        if (case_is_checked(job->node->run.assignment, job->tier, item))
            c[n++] = (struct choice){item, kernel_work(job->harness->kernel, item->shape)};
    }
    if (n)
        qsort(c, n, sizeof *c, cheapest_first);
    const struct test_case **chosen = xcalloc(n + 1, sizeof(struct test_case *));
    for (size_t i = 0; i < n; i++)
        chosen[i] = c[i].item;
    *count = n;
    return chosen;
}
