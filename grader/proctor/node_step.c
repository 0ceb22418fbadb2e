#include "proctor/node_step.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/fsio.h"
#include "model/tier_lacks.h"
#include "rundir/paths.h"

/* Can units of this tier run here, and are they timed over the node's record? */
static bool needs_record(const struct tier *t)
{
    char *missing = tier_lacks_to_run(t);
    free(missing);
    return !t->sweep && !missing;
}

static bool has_record(const struct node_context *n, const char *yardstick)
{
    OWNED char *path = rundir_node(n->run.dir, n->host, yardstick);
    return fs_exists(path);
}

int node_step_take(struct node_context *n, const struct unit *u, struct err *e)
{
    const struct assignment *a = n->run.assignment;
    const struct tier *t = &a->tiers[u->tier];
    if (!needs_record(t) ||
        (has_record(n, node_context_yardstick(n, t)) && has_record(n, a->yardstick)))
        return 0;
    timing_lock_share(&n->timing_lock);
    if (node_context_harness(n, t, HARNESS_CALIBRATED, e) != NULL)
        return 1;
    err_context(e, "measuring the record of node %s", n->host);
    return -1;
}

void node_step_note_wait(struct node_context *n, uint64_t waited_before_ns)
{
    const uint64_t wait = n->timing_lock.waited_ns - waited_before_ns;
    n->longest_wait_ns = wait > n->longest_wait_ns ? wait : n->longest_wait_ns;
}

int64_t node_step_longest_ms(const struct node_context *n)
{
    const struct limits *limits = &n->run.assignment->limits;
    return limits->build_ms + limits->unit_ms + (int64_t)(n->longest_wait_ns / 1000000);
}

bool node_step_too_late(const struct node_context *n, const struct unit *u, uint64_t job_start)
{
    const struct assignment *a = n->run.assignment;
    const struct resources r = tier_resources(a, &a->tiers[u->tier]);
    const uint64_t used = (clock_mono_ns() - job_start) / 1000000;
    return r.time_ms > 0 && used + (uint64_t)node_step_longest_ms(n) > (uint64_t)r.time_ms;
}
