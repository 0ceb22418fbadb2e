#include "proctor/node_yardstick.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/fsio.h"
#include "base/strbuf.h"
#include "build/build.h"
#include "measure/calibration.h"
#include "measure/record_cache.h"
#include "proctor/cache.h"
#include "proctor/give_way.h"
#include "proctor/node_context.h"
#include "proctor/node_driver.h"
#include "rundir/paths.h"
#include "supervise/driver_program.h"

/* The first source file of a tier that exists in a directory, or NULL. */
static const char *find_source(const struct tier *t, const char *sources)
{
    for (unsigned i = 0; i < t->sources_count; i++) {
        OWNED char *path = xasprintf("%s/%s", sources, t->sources[i]);
        const bool exists = fs_exists(path);
        if (exists)
            return t->sources[i];
    }
    return NULL;
}

enum { LIBRARY_MOST = 64 << 20 };

/* Build the reference of a tier. The caller frees *library. */
static int build(struct node_context *n, const char *tier, char **library, struct err *e)
{
    const struct tier *t = &n->run.assignment->tiers[assignment_tier(n->run.assignment, tier)];
    char *sources = rundir_sources(n->run.dir, plan_reference_id(n->run.plan));
    char *dir = xasprintf("%s/reference-%s", n->scratch.dir, tier);
    char *adapter = tier_adapts(t, true) ? rundir_adapter(n->run.dir, t) : NULL;
    struct build built = {0};
    const struct build_job job = {.tier = t,
                                  .limits = &n->run.assignment->limits,
                                  .sandbox = &n->sandbox,
                                  .sources = sources,
                                  .source = find_source(t, sources),
                                  .adapter = adapter,
                                  .dir = dir,
                                  .give_way = give_way,
                                  .give_way_arg = &n->timing_lock};
    int rc = -1;
    if (!job.source) {
        err_system(e, "%s: the reference has no source for the tier %s", sources, tier);
        goto out;
    }
    if (build_tier(&job, &built, e) != 0) {
        err_context(e, "building the reference's %s", tier);
        goto out;
    }
    if (built.verdict != VERDICT_PASS) {
        err_system(e, "the reference's %s does not build: %s", tier, built.message);
        goto out;
    }
    *library = built.library;
    built.library = NULL;
    rc = 0;
out:
    build_free(&built);
    free(adapter);
    free(dir);
    free(sources);
    return rc;
}

/* Keep a library. Where this is not possible, others build it again. */
static void keep_library(const char *library, const char *cached)
{
    struct err ignored = ERR_INIT;
    if (cached && !fs_exists(cached) && fs_mkdirs_for(cached, &ignored) == 0)
        fs_copy(library, cached, LIBRARY_MOST, &ignored);
}

/* The library of a tier's reference. The run directory keeps it for the other proctors on the node,
 * and the user's cache for other runs, if only the user can write there. The drivers use a copy of
 * their own. The caller frees *library. */
static int get_reference(struct node_context *n, const char *tier, char **library, struct err *e)
{
    const struct tier *t = &n->run.assignment->tiers[assignment_tier(n->run.assignment, tier)];
    OWNED char *in_run = rundir_reference(n->run.dir, n->host, tier), *cached = NULL;
    struct err ignored = ERR_INIT;
    *library = xasprintf("%s/reference-%s.so", n->scratch.dir, tier);
    int rc = fs_copy(in_run, *library, LIBRARY_MOST, &ignored);
    if (rc != 0) {
        cached = cache_library_path(n, t);
        rc = cached && fs_is_private(cached) ? fs_copy(cached, *library, LIBRARY_MOST, &ignored)
                                             : -1;
    }
    if (rc != 0) {
        free(*library);
        *library = NULL;
        rc = build(n, tier, library, e);
    }
    if (rc == 0) {
        keep_library(*library, in_run);
        keep_library(*library, cached);
    }
    return rc;
}

/* It may be damaged. The next one who needs it builds it. */
static void forget_library(const struct node_context *n, const char *tier)
{
    const struct assignment *a = n->run.assignment;
    OWNED char *in_run = rundir_reference(n->run.dir, n->host, tier);
    OWNED char *cached = cache_library_path(n, &a->tiers[assignment_tier(a, tier)]);
    unlink(in_run);
    if (cached)
        unlink(cached);
}

static int create_harness(struct node_yardstick *y, struct node_context *n, struct err *e)
{
    const struct assignment *a = n->run.assignment;
    const struct tier *t = &a->tiers[assignment_tier(a, y->tier)];
    struct driver_spec spec = node_driver_spec(n, t);
    spec.launch = launch_here(1, 1);
    spec.own = true;
    spec.program = y->program;
    spec.scratch = n->scratch.dir;
    spec.limits = &y->limits;
    return harness_create(&y->harness, a, &n->run.cases, y->tier, &spec, e);
}

static int build_baseline(void *with, char **library, struct err *e)
{
    struct node_context *n = with;
    return get_reference(n, n->run.assignment->baseline, library, e);
}

int node_yardstick_start(struct node_yardstick *y, struct node_context *n, struct err *e)
{
    if (y->library)
        return 0;
    if (get_reference(n, y->tier, &y->library, e) != 0)
        return -1;
    if (harness_start_yardstick(&y->harness, y->library, e) == 0)
        return 0;
    forget_library(n, y->tier);
    return -1;
}

int node_yardstick_calibrate(struct node_yardstick *y, struct node_context *n, struct err *e)
{
    if (y->calibrated)
        return 0;
    if (node_yardstick_start(y, n, e) != 0)
        return -1;
    free(y->cached);
    y->cached = cache_record_path(n, y);
    OWNED char *ceilings = cache_ceilings_path(n, y);
    const struct calibration_task task = {.run = n->run.dir,
                                          .node = n->host,
                                          .yardstick = y->tier,
                                          .job = n->job,
                                          .harness = &y->harness,
                                          .timing_lock = &n->timing_lock,
                                          .cases = &n->run.cases,
                                          .build_baseline = build_baseline,
                                          .with = n,
                                          .cached = y->cached,
                                          .cached_ceilings = ceilings};
    y->calibrated = calibration_ensure(&task, e) == 0;
    if (y->calibrated)
        return 0;
    forget_library(n, y->tier);
    forget_library(n, n->run.assignment->baseline);
    return -1;
}

static void free_texts(struct node_yardstick *y)
{
    free(y->library);
    free(y->program);
    free(y->cached);
    free(y->answers);
    free(y->check);
    free(y->maker);
    free(y->answers_program);
    *y = (struct node_yardstick){0};
}

int node_yardstick_open(struct node_yardstick *y, struct node_context *n, const char *tier,
                        struct err *e)
{
    const struct assignment *a = n->run.assignment;
    *y =
        (struct node_yardstick){.tier = tier,
                                .limits = a->limits,
                                .program = driver_program(a->tiers[assignment_tier(a, tier)].kind)};
    y->limits.memory_bytes = UINT64_MAX; /* the yardstick lives as long as the proctor */
    if (create_harness(y, n, e) == 0)
        return 0;
    free_texts(y);
    return -1;
}

void node_yardstick_close(struct node_yardstick *y)
{
    record_cache_improve(y->cached, &y->harness.known);
    harness_destroy(&y->harness);
    free_texts(y);
}
