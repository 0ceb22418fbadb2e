#include "proctor/sweep_unit.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/proc.h"
#include "base/strbuf.h"
#include "model/sweep.h"
#include "proctor/node_context.h"
#include "proctor/unit_build.h"
#include "proctor/unit_check.h"
#include "proctor/unit_homes.h"
#include "proctor/unit_lock.h"
#include "proctor/unit_record.h"
#include "proctor/unit_timing.h"
#include "rundir/stage.h"
#include "supervise/driver_pin.h"
#include "supervise/priority.h"

/* Record with every size what kept a combination from being timed. */
static void record_failure(const struct unit_job *job, const struct timed_launch *l, enum verdict v,
                           const char *message, struct unit_result *r)
{
    const struct case_list *cases = &job->node->run.cases;
    for (size_t i = 0; i < cases->count; i++) {
        const struct test_case *c = &cases->item[i];
        if (c->kind != CASE_PERFORMANCE || !case_applies(job->node->run.assignment, job->tier, c))
            continue;
        const struct case_key key = {c->index, l->point, l->index, l->launch};
        struct case_result *cr = unit_record_case(r, &key, job->harness->cores.count);
        cr->verdict = v;
        snprintf(cr->message, sizeof cr->message, "%s", message);
    }
}

/* Build one combination. *library, which the caller frees, is NULL if it does not build, or cannot
 * run on this node; this is recorded. */
static int build_one(const struct unit_job *unit, int point, char **library,
                     struct unexplained_end *end, struct unit_result *r, struct err *e)
{
    const struct tier *t = unit->tier;
    FREED_BY(build_free) struct build built = {0};
    OWNED char *dir = xasprintf("%s/p%d", unit->dir, point);
    OWNED_TEXTS char **defines = sweep_defines(t, (unsigned)point);
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
        const struct timed_launch x = {point, (int)l, tier_launch(t, l), NULL};
        record_failure(unit, &x, built.verdict, built.message, r);
    }
    return rc;
}

/* All correctness cases of a combination, until one fails: then this is recorded. *right: none did.
 */
static int check(const struct unit_job *job, struct unit_state *s, const struct timed_launch *l,
                 struct unit_result *r, bool *right, struct err *e)
{
    const struct case_list *cases = &job->node->run.cases;
    *right = true;
    s->wrong = s->over = false;
    s->failures = 0;
    for (size_t i = 0; i < cases->count && *right; i++) {
        const struct test_case *c = &cases->item[i];
        const struct case_task task = {c, (uint64_t)l->point, 1};
        struct finding f = FINDING_INIT;
        if (c->kind == CASE_PERFORMANCE)
            continue;
        if (unit_check_case(job, s, r, &task, &f, e) != 0)
            return -1;
        if (f.verdict == VERDICT_PASS)
            continue;
        char shape[SHAPE_TEXT];
        kernel_size_text(job->tier->kernel, c->shape, shape);
        OWNED char *text = xasprintf("case %d (%s): %s", c->index, shape, f.message);
        record_failure(job, l, f.verdict, text, r);
        *right = false;
    }
    return 0;
}

/* Check a combination. 1: it can be timed; 0: it cannot; -1: infrastructure trouble. */
static int prepare(const struct unit_job *job, struct unit_state *s, const struct timed_launch *l,
                   struct unit_result *r, struct err *e)
{
    struct harness *h = job->harness;
    struct cores cores;
    bool right;
    cores_quietest(&h->cores, launch_workers(launch_on_node(l->launch)), &cores);
    driver_pin(&h->yardstick, cores.id, 1);
    unit_timing_select(s, l, &cores);
    int rc = check(job, s, l, r, &right, e);
    const bool timed = right && !launch_oversubscribed(l->launch, h->cores.count);
    if (rc == 0 && right && !timed)
        rc = unit_timing_check_only(job, s, r, l, e);
    unit_driver_end(s, r);
    return rc != 0 ? -1 : timed;
}

/* Check all launches of all combinations that were built, then time those that are right. */
static int run_combinations(const struct unit_job *job, struct unit_state *s, char *const *library,
                            struct unit_result *r, struct err *e)
{
    const struct tier *t = job->tier;
    const unsigned points = sweep_points(t), launches = tier_launch_count(t);
    OWNED struct timed_launch *timed = xcalloc(points * launches + 1, sizeof *timed);
    struct launch widest = launch_here(1, 1);
    size_t n = 0;
    int rc = 0;
    for (unsigned k = 0; k < launches; k++)
        widest = unit_lock_widest(widest, tier_launch(t, k));
    unit_lock_share(job, s, widest);
    priority_set(PRIORITY_TIMED);
    stage_enter("checking results");
    for (unsigned i = 0; i < points * launches && rc >= 0; i++) {
        const unsigned p = i / launches, k = i % launches;
        const struct timed_launch l = {(int)p, (int)k, tier_launch(t, k), library[p]};
        rc = library[p] ? prepare(job, s, &l, r, e) : 0;
        if (rc > 0)
            timed[n++] = l;
    }
    if (rc >= 0) {
        unit_lock_exclusive(job, s, widest);
        stage_enter("timing");
        s->wrong = s->over = false;
        s->failures = 0;
        rc = unit_timing_take(job, s, r, timed, n, e);
    }
    unit_lock_end(job, widest);
    unit_driver_end(s, r);
    priority_set(PRIORITY_USUAL);
    return rc < 0 ? -1 : 0;
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
        OWNED char *point = sweep_point_text(t, (unsigned)r->cases[i].point);
        unit_record_text(&r->message,
                         xasprintf("%s%s%s", point, *point ? ": " : "", r->cases[i].message));
        return;
    }
}

int sweep_unit_run(const struct unit_job *without_harness, struct unexplained_end *end,
                   struct unit_result *r, struct err *e)
{
    struct unit_job job = *without_harness;
    const unsigned points = sweep_points(job.tier), launches = tier_launch_count(job.tier);
    struct unit_state s = {.driver = DRIVER_PROCESS_INIT, .protections = ~0U, .end = end};
    struct unit_homes homes;
    job.harness = node_context_harness(job.node, job.tier, HARNESS_TIMES, e);
    if (!job.harness)
        return -1;
    r->cores = job.harness->cores.count;
    OWNED char **library = xcalloc(points, sizeof *library);
    int rc = 0;
    for (unsigned p = 0; p < points && rc == 0; p++)
        rc = build_one(&job, (int)p, &library[p], end, r, e);
    /* Every combination may take as long as a unit. */
    s.deadline = clock_mono_ns() +
                 (uint64_t)job.node->run.assignment->limits.unit_ms * 1000000 * points * launches;
    if (rc == 0 && (rc = unit_homes_make(&homes, &job, "home", e)) == 0) {
        s.spec = unit_driver_spec(&job, NULL, &homes);
        rc = run_combinations(&job, &s, library, r, e);
        r->protections = protection_throughout((unsigned)r->protections, s.protections);
        unit_homes_remove(&homes);
    }
    free(s.with_lines);
    if (rc == 0)
        conclude(job.tier, r);
    for (unsigned p = 0; p < points; p++)
        free(library[p]);
    return rc;
}
