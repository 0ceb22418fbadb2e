#include "proctor/unit_steps.h"

#include "base/clock.h"
#include "measure/harness_steps.h"
#include "proctor/unit_cause.h"
#include "proctor/unit_right.h"
#include "rundir/stage.h"

/* With ranks, each step needs what other ranks have changed in the step before. A single rank shows
 * that nothing else is wrong. */
static void tell(const struct unit_job *job, struct unit_state *s, struct unit_result *r,
                 const char *steps)
{
    const struct launch alone = launch_here(1, 1);
    const bool ranks =
        unit_result_first_failure(r)->launch.ranks > 1 && unit_right_now(job, s, r, &alone);
    unit_result_remark(r,
                       "the result is right if the function is called again and again with %s = 1, "
                       "for one step each%s: what is done %s that each step needs%s?",
                       steps, ranks ? ", and with 1 rank" : "",
                       ranks ? "only before the loop" : "before or after the loop",
                       ranks ? " of the other ranks, such as an exchange of halos"
                             : ", such as to exchange two arrays");
}

void unit_steps_find(const struct unit_job *job, struct unit_state *s, struct unit_result *r)
{
    const struct kernel *k = job->tier->kernel;
    if (r->verdict != VERDICT_WRONG_ANSWER ||
        !unit_cause_is_sought(job, unit_result_first_failure(r)) || !unit_right_can_tell(r))
        return;
    stage_enter("looking for what each step needs");
    s->spec.cpus = job->harness->cores.id;
    s->spec.cpu_count = job->harness->cores.count;
    for (int i = 0; i < k->inputs && clock_mono_ns() < s->deadline; i++) {
        if (!harness_may_step(k, i))
            continue;
        job->harness->stepped = i + 1;
        const bool right = unit_right_now(job, s, r, NULL);
        job->harness->stepped = 0;
        if (right) {
            tell(job, s, r, k->in[i].name);
            return;
        }
    }
}
