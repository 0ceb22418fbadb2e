#include "measure/node_context.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fsio.h"
#include "base/strbuf.h"
#include "build/build.h"
#include "measure/calibration.h"
#include "rundir/paths.h"
#include "supervise/driver_program.h"
#include "supervise/procfs.h"

/* "4711_12" in an array job, "4711" in another, else "local-<pid>". */
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

int node_context_open(struct context *b, const char *run, struct err *e)
{
    *b = (struct context){.scratch = {.lock = -1, .shm_lock = -1}, .timing_lock = {.fd = -1}};
    if (run_open(run, &b->opened, e) != 0)
        return -1;
    b->run = b->opened.dir;
    b->assignment = b->opened.assignment;
    b->plan = b->opened.plan;
    b->cases = b->opened.cases;
    b->host = node_key();
    b->job = job_name();
    timing_lock_open(&b->timing_lock, b->assignment->performance.quiet_node);
    return 0;
}

void node_context_close(struct context *b)
{
    for (unsigned i = 0; i < b->harness_count; i++) {
        harness_destroy(&b->harnesses[i].harness);
        free(b->harnesses[i].library);
        free(b->harnesses[i].program);
    }
    timing_lock_close(&b->timing_lock);
    scratch_remove(&b->scratch);
    sandbox_policy_free(&b->sandbox);
    run_close(&b->opened);
    free(b->host);
    free(b->job);
}

static int build_reference(struct context *b, const char *tier_name, char **library, struct err *e)
{
    int ti = assignment_tier(b->assignment, tier_name);
    const struct tier *t = &b->assignment->tiers[ti];
    const char *ref = NULL;
    for (unsigned i = 0; i < b->plan->submissions_count; i++)
        if (b->plan->submissions[i].is_reference)
            ref = b->plan->submissions[i].id;
    if (!ref)
        ref = "reference";
    char *sources = rundir_sources(b->run, ref);
    char *source = NULL;
    for (unsigned i = 0; i < t->sources_count && !source; i++) {
        char *path = xasprintf("%s/%s", sources, t->sources[i]);
        if (fs_exists(path))
            source = t->sources[i];
        free(path);
    }
    int rc = -1;
    char *dir = xasprintf("%s/reference-%s", b->scratch.dir, tier_name);
    struct build built = {0};
    if (!source)
        err_system(e, "%s: the reference has no source for the tier %s", sources, tier_name);
    else if (build_tier(&(struct build_job){.tier = t,
                                            .limits = &b->assignment->limits,
                                            .sandbox = &b->sandbox,
                                            .sources = sources,
                                            .source = source,
                                            .dir = dir},
                        &built, e) != 0)
        err_context(e, "building the reference's %s", tier_name);
    else if (built.verdict != VERDICT_PASS)
        err_system(e, "the reference's %s does not build: %s", tier_name, built.message);
    else
        rc = 0;
    if (rc == 0) {
        *library = built.library;
        built.library = NULL;
    }
    build_free(&built);
    free(dir);
    free(sources);
    return rc;
}

static int start_harness(struct context *b, struct node_harness *s, const struct tier *t,
                         struct err *e)
{
    const struct assignment *a = b->assignment;
    const struct kernel *k = kernel_find(a->kernel, a->type);
    s->program = driver_program(t->kind);
    s->limits = a->limits;
    s->limits.memory_bytes = UINT64_MAX;
    struct driver_spec spec = {.kind = t->kind,
                               .launch = {1, 1},
                               .memory =
                                   t->memory == MEMORY_MAPPED ? PG_MEMORY_MAPPED : PG_MEMORY_DEVICE,
                               .program = s->program,
                               .library = s->library,
                               .function = k ? k->function : "",
                               .scratch = b->scratch.dir,
                               .limits = &s->limits,
                               .sandbox = &b->sandbox};
    return harness_create(&s->harness, a, &b->cases, s->yardstick, &spec, e);
}

static int know_node(struct context *b, struct node_harness *s, struct err *e)
{
    struct node_task task = {.run = b->run,
                             .key = b->host,
                             .yardstick = s->yardstick,
                             .harness = &s->harness,
                             .timing_lock = &b->timing_lock,
                             .cases = &b->cases};
    char *baseline = NULL;
    int rc = 0;
    if (!driver_has_device(&s->harness.yard))
        rc = build_reference(b, b->assignment->baseline, &baseline, e);
    task.baseline_library = baseline;
    if (rc == 0)
        rc = node_ensure(&task, e);
    free(baseline);
    return rc;
}

static struct node_harness *find_harness(struct context *b, const char *yardstick)
{
    for (unsigned i = 0; i < b->harness_count; i++)
        if (strcmp(b->harnesses[i].yardstick, yardstick) == 0)
            return &b->harnesses[i];
    return NULL;
}

static struct node_harness *open_harness(struct context *b, const char *yardstick, bool calibrated,
                                         struct err *e)
{
    struct node_harness *s = &b->harnesses[b->harness_count];
    const struct tier *t = &b->assignment->tiers[assignment_tier(b->assignment, yardstick)];
    *s = (struct node_harness){.yardstick = yardstick};
    int rc = build_reference(b, yardstick, &s->library, e);
    if (rc == 0 && (rc = start_harness(b, s, t, e)) == 0 && calibrated &&
        (rc = know_node(b, s, e)) != 0)
        harness_destroy(&s->harness);
    if (rc == 0) {
        b->harness_count++;
        return s;
    }
    free(s->library); /* so that the next unit can try again */
    free(s->program);
    return NULL;
}

static bool can_run(const struct tier *t)
{
    char *program = driver_program(t->kind), *lacks_to_build = build_missing_requirement(t, false);
    char *lacks_to_run = build_missing_requirement(t, true);
    bool can = fs_exists(program) && !lacks_to_build && !lacks_to_run;
    free(program);
    free(lacks_to_build);
    free(lacks_to_run);
    return can;
}

const char *node_context_yardstick(const struct context *b, const struct tier *t)
{
    const struct assignment *a = b->assignment;
    const char *own = tier_yardstick(a, t);
    return can_run(&a->tiers[assignment_tier(a, own)]) ? own : a->yardstick;
}

int node_context_scratch(struct context *b, struct err *e)
{
    if (!b->scratch_made && scratch_create(&b->scratch, e) != 0)
        return -1;
    b->scratch_made = true;
    return 0;
}

struct harness *node_harness(struct context *b, const struct tier *t, bool calibrated,
                             struct err *e)
{
    const char *yardstick = node_context_yardstick(b, t);
    struct node_harness *s = find_harness(b, yardstick);
    if (s)
        return &s->harness;
    if (node_context_scratch(b, e) != 0)
        return NULL;
    if (b->harness_count == MOST_HARNESSES) {
        err_input(e, "more than %d different yardsticks", MOST_HARNESSES);
        return NULL;
    }
    /* A device's speed-ups are over the host's baseline, which the host's yardstick needs too. */
    const char *host = b->assignment->yardstick;
    if (calibrated && strcmp(yardstick, host) != 0 && !find_harness(b, host) &&
        !open_harness(b, host, true, e))
        return NULL;
    s = open_harness(b, yardstick, calibrated, e);
    return s ? &s->harness : NULL;
}

/* Is a process a yardstick's driver, or a child of one? */
static bool belongs(const struct context *b, pid_t pid)
{
    for (unsigned i = 0; b && i < b->harness_count; i++) {
        struct pid_list l;
        bool found = pid == b->harnesses[i].harness.yard.pid;
        procfs_descendants(b->harnesses[i].harness.yard.pid, &l);
        for (size_t k = 0; k < l.count; k++)
            found = found || l.pid[k] == pid;
        pid_list_free(&l);
        if (found)
            return true;
    }
    return false;
}

void node_context_end_orphans(const struct context *b)
{
    for (int round = 0; round < 1000; round++) {
        struct pid_list all;
        size_t ended = 0;
        procfs_descendants(getpid(), &all);
        for (size_t i = 0; i < all.count; i++) {
            if (belongs(b, all.pid[i]))
                continue;
            kill(all.pid[i], SIGKILL);
            waitpid(all.pid[i], NULL, WNOHANG);
            ended++;
        }
        pid_list_free(&all);
        if (!ended)
            return;
        clock_sleep_ms(1);
    }
}
