#include "proctor/sweep_unit.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/proc.h"
#include "base/strbuf.h"
#include "model/sweep.h"
#include "proctor/sweep_group.h"
#include "proctor/unit_build.h"
#include "proctor/unit_record.h"

/* Build one combination. *library, which the caller frees, is NULL if it does not build, or cannot
 * run on this node; this is recorded. */
static int build_one(const struct unit_job *unit, int point, char **library,
                     struct unexplained_end *end, struct unit_result *r, struct err *e)
{
    const struct tier *t = unit->tier;
    struct build built = {0};
    char *dir = xasprintf("%s/p%d", unit->dir, point);
    char **defines = sweep_defines(t, (unsigned)point);
    struct unit_job job = *unit;
    job.dir = dir;
    job.defines = defines;
    int rc = unit_build(&job, &built, end, r, e);
    *library = NULL;
    if (rc == 0 && built.verdict == VERDICT_PASS && job.missing) {
        built.verdict = VERDICT_SKIPPED;
        unit_record_text(&built.message, unit_build_skipped(&job));
    }
    if (rc == 0 && built.verdict == VERDICT_PASS)
        *library = xstrdup(built.library);
    for (unsigned l = 0; rc == 0 && !*library && l < tier_launch_count(t); l++) {
        const struct combination x = {
            .point = point, .launch_index = (int)l, .launch = tier_launch(t, l)};
        sweep_record_failure(unit, &x, built.verdict, built.message, r);
    }
    build_free(&built);
    proc_argv_free(defines);
    free(dir);
    return rc;
}

/* All launches of all combinations that were built, group by group. */
static int run_groups(const struct unit_job *job, struct sweep_state *s, char *const *library,
                      struct unit_result *r, struct err *e)
{
    const struct tier *t = job->tier;
    const unsigned points = sweep_points(t), launches = tier_launch_count(t);
    struct combination group[SWEEP_GROUP_MOST];
    size_t n = 0;
    for (unsigned i = 0; i < points * launches; i++) {
        const unsigned p = i / launches, l = i % launches;
        if (library[p])
            group[n++] = (struct combination){.point = (int)p,
                                              .launch_index = (int)l,
                                              .launch = tier_launch(t, l),
                                              .library = library[p]};
        if (n < SWEEP_GROUP_MOST && i + 1 < points * launches)
            continue;
        if (n && sweep_group_run(job, s, group, n, r, e) != 0)
            return -1;
        n = 0;
    }
    return 0;
}

/* The verdict of the worst case, with the combination that it belongs to. */
static void conclude(const struct tier *t, struct unit_result *r)
{
    r->verdict = VERDICT_PASS;
    for (unsigned i = 0; i < r->cases_count; i++)
        r->verdict = verdict_worse(r->verdict, r->cases[i].verdict);
    for (unsigned i = 0; i < r->cases_count && r->verdict != VERDICT_PASS; i++) {
        if (r->cases[i].verdict != r->verdict)
            continue;
        char *point = sweep_point_text(t, (unsigned)r->cases[i].point);
        unit_record_text(&r->message,
                         xasprintf("%s%s%s", point, *point ? ": " : "", r->cases[i].message));
        free(point);
        return;
    }
}

int sweep_unit_run(const struct unit_job *without_harness, struct unexplained_end *end,
                   struct unit_result *r, struct err *e)
{
    struct unit_job job = *without_harness;
    const unsigned points = sweep_points(job.tier), launches = tier_launch_count(job.tier);
    struct sweep_state s = {.ran = ~0U, .end = end};
    job.harness = node_context_harness(job.node, job.tier, false, e);
    if (!job.harness)
        return -1;
    r->cores = job.harness->cores.count;
    char **library = xcalloc(points, sizeof *library);
    int rc = 0;
    for (unsigned p = 0; p < points && rc == 0; p++)
        rc = build_one(&job, (int)p, &library[p], end, r, e);
    /* Every combination may take as long as a unit. */
    s.deadline = clock_mono_ns() +
                 (uint64_t)job.node->run.assignment->limits.unit_ms * 1000000 * points * launches;
    if (rc == 0)
        rc = run_groups(&job, &s, library, r, e);
    r->protections = protection_throughout((unsigned)r->protections, s.ran);
    if (rc == 0)
        conclude(job.tier, r);
    for (unsigned p = 0; p < points; p++)
        free(library[p]);
    free(library);
    return rc;
}
