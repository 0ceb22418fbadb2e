#include "proctor/second_choice.h"

#include "base/clock.h"

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
