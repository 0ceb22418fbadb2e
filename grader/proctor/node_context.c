#include "proctor/node_context.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/strbuf.h"
#include "measure/node_hardware.h"
#include "model/tier_lacks.h"
#include "proctor/node_answers.h"
#include "rundir/quiet_file.h"
#include "rundir/stage.h"
#include "supervise/procfs.h"
#include "supervise/reap.h"

/* Orphans are looked for so often, a millisecond apart, until there are none. */
enum { ORPHAN_ROUNDS = 1000 };

/* "4711_12" in an array job, "4711" in another job, else "local-<pid>". */
static char *job_name(void)
{
    const char *array = getenv("SLURM_ARRAY_JOB_ID"), *task = getenv("SLURM_ARRAY_TASK_ID");
    const char *job = getenv("SLURM_JOB_ID");
    if (array && task)
        return xasprintf("%s_%s", array, task);
    if (job)
        return xstrdup(job);
    return xasprintf("local-%ld", (long)getpid());
}

int node_context_open(struct node_context *n, const char *run, struct err *e)
{
    *n = (struct node_context){.scratch = {.lock = -1, .shm_lock = -1},
                               .timing_lock = {.fd = -1},
                               .supervisor = {.tick = stage_tick}};
    if (run_open(run, &n->run, e) != 0)
        return -1;
    n->host = node_key();
    n->job = job_name();
    struct cores cores;
    cores_allocated(&cores);
    timing_lock_open(&n->timing_lock, QUIET_FILE_DIR, n->run.dir,
                     n->run.assignment->performance.quiet_node ? &cores : NULL);
    return 0;
}

void node_context_close(struct node_context *n)
{
    for (unsigned i = 0; i < YARDSTICKS_MOST; i++)
        if (n->yardsticks[i].tier)
            node_yardstick_close(&n->yardsticks[i]);
    other_nodes_close(&n->others);
    timing_lock_close(&n->timing_lock);
    scratch_remove(&n->scratch);
    supervisor_free(&n->supervisor);
    sandbox_policy_free(&n->sandbox);
    run_close(&n->run);
    free(n->host);
    free(n->job);
}

int node_context_scratch(struct node_context *n, struct err *e)
{
    if (!n->scratch_made && scratch_create(&n->scratch, e) != 0)
        return -1;
    n->scratch_made = true;
    return 0;
}

static bool can_run(const struct tier *t)
{
    char *missing = tier_lacks_to_run(t);
    free(missing);
    return !missing;
}

const char *node_context_yardstick(const struct node_context *n, const struct tier *t)
{
    const struct assignment *a = n->run.assignment;
    const char *own = tier_yardstick(a, t);
    return can_run(&a->tiers[assignment_tier(a, own)]) ? own : tier_yardstick_on_host(a, t);
}

struct node_yardstick *node_context_opened(struct node_context *n, const char *tier)
{
    for (unsigned i = 0; i < YARDSTICKS_MOST; i++)
        if (n->yardsticks[i].tier && strcmp(n->yardsticks[i].tier, tier) == 0)
            return &n->yardsticks[i];
    return NULL;
}

/* Open it in a free place. */
static struct node_yardstick *open_yardstick(struct node_context *n, const char *tier,
                                             struct err *e)
{
    unsigned i = 0;
    while (i < YARDSTICKS_MOST && n->yardsticks[i].tier)
        i++;
    if (i == YARDSTICKS_MOST) {
        err_input(e, "more than %d different yardsticks", YARDSTICKS_MOST);
        return NULL;
    }
    return node_yardstick_open(&n->yardsticks[i], n, tier, e) == 0 ? &n->yardsticks[i] : NULL;
}

static int prepare(struct node_yardstick *y, struct node_context *n, enum harness_use use,
                   struct err *e)
{
    if (node_answers_start(y, n, e) != 0)
        return -1;
    if (use == HARNESS_CALIBRATED)
        return node_yardstick_calibrate(y, n, e);
    if (use == HARNESS_CHECKS && harness_checks_alone(&y->harness, &n->run.cases))
        return 0;
    return node_yardstick_start(y, n, e);
}

/* The harness of a yardstick, opened and prepared if it is not yet. */
static struct harness *get_harness(struct node_context *n, const char *tier, enum harness_use use,
                                   struct err *e)
{
    struct node_yardstick *y = node_context_opened(n, tier);
    if (!y)
        y = open_yardstick(n, tier, e);
    if (!y)
        return NULL;
    if (prepare(y, n, use, e) == 0)
        return &y->harness;
    node_yardstick_close(y);
    return NULL;
}

struct harness *node_context_harness(struct node_context *n, const struct tier *t,
                                     enum harness_use use, struct err *e)
{
    const char *tier = node_context_yardstick(n, t), *host = n->run.assignment->yardstick;
    if (node_context_scratch(n, e) != 0)
        return NULL;
    /* Speed-ups are over the baseline, which may be in the record of the assignment's yardstick
     * only.
     */
    if (use == HARNESS_CALIBRATED && strcmp(tier, host) != 0 && !get_harness(n, host, use, e))
        return NULL;
    return get_harness(n, tier, use, e);
}

static bool any_harness_owns(const struct node_context *n, pid_t pid)
{
    for (unsigned i = 0; n && i < YARDSTICKS_MOST; i++)
        if (n->yardsticks[i].tier && harness_owns(&n->yardsticks[i].harness, pid))
            return true;
    return n && other_nodes_own(&n->others, pid);
}

void node_context_end_orphans(const struct node_context *n)
{
    for (int round = 0; round < ORPHAN_ROUNDS; round++) {
        struct pid_list all;
        size_t ended = 0;
        procfs_descendants(getpid(), &all);
        for (size_t i = 0; i < all.count; i++) {
            if (any_harness_owns(n, all.pid[i]))
                continue;
            kill(all.pid[i], SIGKILL);
            reap(all.pid[i], NULL, NULL);
            ended++;
        }
        pid_list_free(&all);
        if (!ended)
            return;
        clock_sleep_ms(1);
    }
}
