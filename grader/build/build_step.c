#include "build/build_step.h"

#include <math.h>

#include "base/clock.h"
#include "build/held_up.h"
#include "supervise/stop.h"

int build_step(struct build *b, const struct build_job *job, const struct proc_spec *base,
               char *const *argv, struct proc_result *r, struct err *e)
{
    struct proc_spec spec = *base;
    OWNED char *program = proc_which(argv[0]);
    const double left = (double)job->limits->build_ms - (b->seconds - b->held_up_seconds) * 1e3;
    struct held_up held_up = {.count = 0};
    const uint64_t start = clock_mono_ns();
    int rc;
    spec.argv = argv;
    spec.timeout_ms = left > 1 ? (int)ceil(left) : 1;
    spec.held_up = held_up_more;
    spec.held_up_arg = &held_up;
    spec.give_way = job->give_way;
    spec.give_way_arg = job->give_way_arg;
    *r = (struct proc_result){0};
    rc = program ? proc_run(&spec, r, e)
                 : err_system(e, "the compiler %s is not installed on this node", argv[0]);
    if (rc == 0 && proctor_stop)
        rc = err_system(e, "the grader was told to stop");
    if (rc != 0)
        return rc;
    b->seconds += (double)(clock_mono_ns() - start - r->gave_way_ns) * 1e-9;
    b->held_up_seconds += (double)r->held_up_ns * 1e-9;
    return 0;
}
