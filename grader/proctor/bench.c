#include "proctor/bench.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/fsio.h"
#include "base/install.h"
#include "base/strbuf.h"
#include "model/rundir.h"
#include "proctor/build.h"
#include "proctor/node.h"

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
    if (assignment_load(path, &b->assignment, e) == 0 && plan_load(run, &b->plan, e) == 0 &&
        (!b->plan->profile[0] ||
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
    if (b->ready)
        stand_destroy(&b->stand);
    quiet_close(&b->quiet);
    scratch_remove(&b->scratch);
    case_list_free(&b->cases);
    if (b->plan)
        plan_free(b->plan);
    if (b->assignment)
        assignment_free(b->assignment);
    free(b->yard_library);
    free(b->yard_driver);
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

static int start_stand(struct bench *b, struct err *e)
{
    const struct assignment *a = b->assignment;
    const struct kernel *k = kernel_find(a->kernel, a->type);
    b->yard_driver = bench_driver(LAUNCH_CPU);
    b->yard_limits = a->limits;
    b->yard_limits.memory_bytes = UINT64_MAX;
    struct session_spec spec = {.kind = LAUNCH_CPU,
                                .launch = {1, 1},
                                .driver = b->yard_driver,
                                .library = b->yard_library,
                                .symbol = k ? k->symbol(LAUNCH_CPU) : "",
                                .scratch = b->scratch.dir,
                                .limits = &b->yard_limits};
    return stand_create(&b->stand, a, &b->cases, &spec, e);
}

int bench_ready(struct bench *b, bool calibrated, struct err *e)
{
    if (b->ready)
        return 0;
    const struct assignment *a = b->assignment;
    char *baseline = NULL;
    int rc = -1;
    if (scratch_create(&b->scratch, e) == 0 &&
        build_reference(b, a->yardstick, &b->yard_library, e) == 0 && start_stand(b, e) == 0) {
        rc = 0;
        if (calibrated &&
            (build_reference(b, a->baseline, &baseline, e) != 0 ||
             node_ensure(b->run, b->host, &b->stand, &b->quiet, &b->cases, baseline, e) != 0)) {
            stand_destroy(&b->stand);
            rc = -1;
        }
    }
    if (rc != 0) { /* so that the next unit can try again */
        scratch_remove(&b->scratch);
        free(b->yard_library);
        free(b->yard_driver);
        b->yard_library = b->yard_driver = NULL;
    }
    free(baseline);
    b->ready = rc == 0;
    return rc;
}
