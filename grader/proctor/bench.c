#include "proctor/bench.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fsio.h"
#include "base/install.h"
#include "base/strbuf.h"
#include "model/rundir.h"
#include "model/sweep.h"
#include "proctor/build.h"
#include "proctor/node.h"
#include "proctor/observe.h"

static const char *driver_part(enum launch_kind kind)
{
    switch (kind) {
    case LAUNCH_CPU:
        return "libexec/paragrade/driver-cpu";
    case LAUNCH_MPI:
        return "libexec/paragrade/driver-mpi";
    case LAUNCH_CUDA:
        return "libexec/paragrade/driver-cuda";
    case LAUNCH_OPENACC:
        return "libexec/paragrade/driver-openacc";
    }
    return "";
}

char *bench_driver(enum launch_kind kind)
{
    return install_path(driver_part(kind));
}

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

int bench_open(struct bench *b, const char *run, struct err *e)
{
    *b = (struct bench){.run = run, .scratch = {.lock = -1, .shm_lock = -1}, .quiet = {.fd = -1}};
    char *path = rundir_assignment(run);
    int rc = -1;
    bool loaded = assignment_load(path, &b->assignment, e) == 0 && plan_load(run, &b->plan, e) == 0;
    if (loaded && b->plan->sweep)
        sweep_take_over(b->assignment);
    if (loaded && (!b->plan->profile[0] ||
                   assignment_apply_profile(b->assignment, b->plan->profile, e) == 0)) {
        cases_make(b->assignment, b->plan->seed, &b->cases);
        b->host = node_key();
        b->job = job_name();
        quiet_open(&b->quiet, b->assignment->performance.quiet_node);
        rc = 0;
    }
    free(path);
    return rc;
}

void bench_close(struct bench *b)
{
    for (unsigned i = 0; i < b->stand_count; i++) {
        stand_destroy(&b->stands[i].stand);
        free(b->stands[i].library);
        free(b->stands[i].driver);
    }
    quiet_close(&b->quiet);
    scratch_remove(&b->scratch);
    case_list_free(&b->cases);
    if (b->plan)
        plan_free(b->plan);
    if (b->assignment)
        assignment_free(b->assignment);
    free(b->host);
    free(b->job);
}

static int build_reference(struct bench *b, const char *tier_name, char **library, struct err *e)
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
    else if (build_tier(t, &b->assignment->limits, sources, source, dir, &built, e) != 0)
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

static int start_stand(struct bench *b, struct bench_stand *s, const struct tier *t, struct err *e)
{
    const struct assignment *a = b->assignment;
    const struct kernel *k = kernel_find(a->kernel, a->type);
    s->driver = bench_driver(t->kind);
    s->limits = a->limits;
    s->limits.memory_bytes = UINT64_MAX;
    struct session_spec spec = {.kind = t->kind,
                                .launch = {1, 1},
                                .memory = t->memory == MEMORY_MAPPED ? PG_MEMORY_MAPPED
                                                                     : PG_MEMORY_DEVICE,
                                .driver = s->driver,
                                .library = s->library,
                                .symbol = k ? k->symbol(t->kind) : "",
                                .scratch = b->scratch.dir,
                                .limits = &s->limits};
    return stand_create(&s->stand, a, &b->cases, s->yardstick, &spec, e);
}

static int know_node(struct bench *b, struct bench_stand *s, struct err *e)
{
    struct node_task task = {.run = b->run,
                             .key = b->host,
                             .yardstick = s->yardstick,
                             .stand = &s->stand,
                             .quiet = &b->quiet,
                             .cases = &b->cases};
    char *baseline = NULL;
    int rc = 0;
    if (!session_has_device(&s->stand.yard))
        rc = build_reference(b, b->assignment->baseline, &baseline, e);
    task.baseline_library = baseline;
    if (rc == 0)
        rc = node_ensure(&task, e);
    free(baseline);
    return rc;
}

static struct bench_stand *find_stand(struct bench *b, const char *yardstick)
{
    for (unsigned i = 0; i < b->stand_count; i++)
        if (strcmp(b->stands[i].yardstick, yardstick) == 0)
            return &b->stands[i];
    return NULL;
}

static struct bench_stand *open_stand(struct bench *b, const char *yardstick, bool calibrated,
                                      struct err *e)
{
    struct bench_stand *s = &b->stands[b->stand_count];
    const struct tier *t = &b->assignment->tiers[assignment_tier(b->assignment, yardstick)];
    *s = (struct bench_stand){.yardstick = yardstick};
    int rc = build_reference(b, yardstick, &s->library, e);
    if (rc == 0 && (rc = start_stand(b, s, t, e)) == 0 && calibrated &&
        (rc = know_node(b, s, e)) != 0)
        stand_destroy(&s->stand);
    if (rc == 0) {
        b->stand_count++;
        return s;
    }
    free(s->library); /* so that the next unit can try again */
    free(s->driver);
    return NULL;
}

static bool can_run(const struct tier *t)
{
    char *driver = bench_driver(t->kind), *lacks_to_build = build_missing_requirement(t, false);
    char *lacks_to_run = build_missing_requirement(t, true);
    bool can = fs_exists(driver) && !lacks_to_build && !lacks_to_run;
    free(driver);
    free(lacks_to_build);
    free(lacks_to_run);
    return can;
}

const char *bench_yardstick(const struct bench *b, const struct tier *t)
{
    const struct assignment *a = b->assignment;
    const char *own = tier_yardstick(a, t);
    return can_run(&a->tiers[assignment_tier(a, own)]) ? own : a->yardstick;
}

int bench_scratch(struct bench *b, struct err *e)
{
    if (!b->scratch_made && scratch_create(&b->scratch, e) != 0)
        return -1;
    b->scratch_made = true;
    return 0;
}

struct stand *bench_stand(struct bench *b, const struct tier *t, bool calibrated, struct err *e)
{
    const char *yardstick = bench_yardstick(b, t);
    struct bench_stand *s = find_stand(b, yardstick);
    if (s)
        return &s->stand;
    if (bench_scratch(b, e) != 0)
        return NULL;
    if (b->stand_count == MOST_STANDS) {
        err_input(e, "more than %d different yardsticks", MOST_STANDS);
        return NULL;
    }
    /* A device's speed-ups are over the host's baseline, which the host's yardstick needs too. */
    const char *host = b->assignment->yardstick;
    if (calibrated && strcmp(yardstick, host) != 0 && !find_stand(b, host) &&
        !open_stand(b, host, true, e))
        return NULL;
    s = open_stand(b, yardstick, calibrated, e);
    return s ? &s->stand : NULL;
}

/* Is a process a yardstick's driver, or a child of one? */
static bool belongs(const struct bench *b, pid_t pid)
{
    for (unsigned i = 0; b && i < b->stand_count; i++) {
        struct pid_list l;
        bool found = pid == b->stands[i].stand.yard.pid;
        observe_descendants(b->stands[i].stand.yard.pid, &l);
        for (size_t k = 0; k < l.count; k++)
            found = found || l.pid[k] == pid;
        pid_list_free(&l);
        if (found)
            return true;
    }
    return false;
}

void bench_end_orphans(const struct bench *b)
{
    for (int round = 0; round < 1000; round++) {
        struct pid_list all;
        size_t ended = 0;
        observe_descendants(getpid(), &all);
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
