/*
 * The source of a mistake takes the place of the trusted source. If the unit is right then, in
 * cases in which it was wrong, its results are those of the mistake.
 */
#include "proctor/unit_mistake.h"

#include "base/clock.h"
#include "proctor/node_answers.h"
#include "proctor/unit_cause.h"
#include "proctor/unit_right.h"

/* Of all mistakes together. */
#define ALL_NS UINT64_C(5000000000)

static bool is_this(const struct unit_job *job, struct unit_state *s, const struct unit_result *r,
                    int mistake)
{
    struct mistaken_answers m;
    struct err ignored = ERR_INIT;
    const bool found = node_answers_mistake(job->node, job->harness, mistake, &m, &ignored) == 0 &&
                       unit_right_now(job, s, r, NULL);
    node_answers_trust_again(job->harness, &m);
    return found;
}

void unit_mistake_find(const struct unit_job *job, struct unit_state *s, struct unit_result *r)
{
    const struct kernel_file *f = job->tier->kernel->file;
    const uint64_t start = clock_mono_ns();
    /* A check decides by itself, and asks nobody what is right. */
    if (!f || f->check || r->verdict != VERDICT_WRONG_ANSWER ||
        !unit_cause_is_sought(job, unit_result_first_failure(r)) || !unit_right_can_tell(r))
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
