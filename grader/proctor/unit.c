/*
 * The order of steps: requirements; build; the launches with their checks and times
 * (unit_launches.h); then the verdict, and whether the times can be true (unit_attest.h). A unit of
 * a run that sweeps goes to sweep_unit.h instead.
 */
#include "proctor/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/clock.h"
#include "base/fsio.h"
#include "base/plural.h"
#include "base/strbuf.h"
#include "model/tier_lacks.h"
#include "proctor/node_step.h"
#include "proctor/shared_gpus.h"
#include "proctor/sweep_unit.h"
#include "proctor/unit_again.h"
#include "proctor/unit_attest.h"
#include "proctor/unit_build.h"
#include "proctor/unit_cause.h"
#include "proctor/unit_driver.h"
#include "proctor/unit_homes.h"
#include "proctor/unit_launches.h"
#include "proctor/unit_left_over.h"
#include "proctor/unit_mistake.h"
#include "proctor/unit_record.h"
#include "proctor/unit_second.h"
#include "proctor/unit_separation.h"
#include "proctor/unit_smallest.h"
#include "proctor/unit_state.h"
#include "proctor/unit_steps.h"
#include "proctor/unit_warnings.h"
#include "rundir/paths.h"
#include "rundir/stage.h"
#include "supervise/driver_program.h"
#include "supervise/stop.h"

static void judge(struct unit_result *r)
{
    r->verdict = VERDICT_PASS;
    for (unsigned i = 0; i < r->cases_count; i++)
        r->verdict = verdict_worse(r->verdict, r->cases[i].verdict);
}

/* One case fits several widths: the others tell which one is meant. */
static void correct_width(const struct unit_job *job, struct unit_result *r)
{
    const struct case_result *first = unit_result_first_failure(r);
    struct case_result *failed = first ? &r->cases[first - r->cases] : NULL;
    if (failed && unit_left_over_correct(job, r, failed->launch, &failed->mismatch))
        finding_describe_case(failed);
}

/* The unit's message, from its cases. */
static void conclude(const struct unit_job *job, const struct unit_state *s, struct unit_result *r)
{
    const struct node_context *n = job->node;
    if (r->verdict == VERDICT_PASS)
        return;
    const struct case_result *cr = unit_result_first_failure(r);
    const struct test_case *c = &n->run.cases.item[cr->case_index];
    const bool stopped = s->over && s->failures >= n->run.assignment->limits.failures;
    char shape[SHAPE_TEXT], launch[RECORD_WORKERS], stop[64] = "";
    if (cr->output) {
        unit_record_text(&r->output, xstrdup(cr->output));
        r->output_case = cr->case_index;
    }
    kernel_size_text(job->tier->kernel, c->shape, shape);
    unit_record_workers(job->tier, cr->launch, launch);
    if (s->over && r->verdict == VERDICT_TIMEOUT)
        snprintf(stop, sizeof stop, "; the other cases were not tried");
    else if (stopped)
        snprintf(stop, sizeof stop, "; stopped after %d %s of this kind", s->failures,
                 plural((unsigned)s->failures, "failure", "failures"));
    unit_record_text(&r->message, xasprintf("case %d (%s, %s values%s): %s%s", c->index, shape,
                                            kernel_values_name(job->tier->kernel, c->values),
                                            launch, cr->message, stop));
}

static void take_turn(struct node_context *n)
{
    if (n->turns)
        timing_lock_turn(&n->timing_lock, n->turns);
}

/* The next unit is checked while the second look at this one goes on; and it is timed after that
 * look, which shares the lock. */
static void end_turn(struct node_context *n)
{
    if (n->turns)
        timing_lock_end_turn(&n->timing_lock);
}

/* Check, time and judge what was built. */
static int run_built(const struct unit_job *without_harness, const struct build *built,
                     struct unexplained_end *end, struct unit_result *r, struct err *e)
{
    struct unit_job job = *without_harness;
    struct unit_state s = {.driver = DRIVER_PROCESS_INIT, .protections = ~0U, .end = end};
    struct unit_homes homes;
    job.harness = node_context_harness(
        job.node, job.tier, unit_is_timed(&job) ? HARNESS_CALIBRATED : HARNESS_CHECKS, e);
    unit_record_text(&r->yardstick, xstrdup(node_context_yardstick(job.node, job.tier)));
    if (!job.harness)
        return -1;
    struct unit_result *first = unit_again_find(&job, r);
    if (first)
        unit_again_take_over(first, &s, r);
    job.first = first;
    int rc = unit_homes_make(&homes, &job, "home", e);
    if (rc == 0) {
        s.spec = unit_driver_spec(&job, built->library, &homes);
        s.deadline = clock_mono_ns() + (uint64_t)job.node->run.assignment->limits.unit_ms * 1000000;
        r->cores = job.harness->cores.count;
        rc = unit_launches_run(&job, &s, r, e);
        if (rc == 0) {
            judge(r);
            unit_cause_find(&job, &s, r);
            end_turn(job.node);
            unit_second_look(&job, &s, r);
        }
        r->protections = protection_throughout((unsigned)r->protections, s.protections);
    }
    if (rc == 0) {
        char too_fast[300];
        unit_attest_times(&job, r, too_fast, sizeof too_fast);
        judge(r);
        correct_width(&job, r);
        conclude(&job, &s, r);
        unit_left_over_remark(&job, r);
        unit_smallest_find(&job, &s, r);
        unit_separation_remark(&job, r);
        unit_mistake_find(&job, &s, r);
        unit_steps_find(&job, &s, r);
        unit_attest(&job, built, too_fast, r);
        unit_warnings_add(&job, s.deadline, r);
    }
    r->numbers = job.harness->numbers;
    job.harness->numbers = NULL;
    free(s.with_lines);
    unit_homes_remove(&homes);
    unit_result_free(first);
    return rc;
}

/* Build, and record it. */
static int build(const struct unit_job *job, struct build *built, struct unexplained_end *end,
                 struct unit_result *r, struct err *e)
{
    if (unit_build(job, built, end, r, e) != 0)
        return -1;
    snprintf(r->library_hash, sizeof r->library_hash, "%s", built->library_hash);
    unit_record_text(&r->build_log, built->log);
    built->log = NULL;
    return 0;
}

static int build_and_run(const struct unit_job *job, struct unexplained_end *end,
                         struct unit_result *r, struct err *e)
{
    FREED_BY(build_free) struct build built = {0};
    int rc = build(job, &built, end, r, e);
    if (rc == 0 && built.verdict != VERDICT_PASS) {
        unit_record_verdict(r, built.verdict, built.message);
        built.message = NULL;
        unit_warnings_add(job, UINT64_MAX, r);
    } else if (rc == 0 && built.elsewhere) {
        unit_record_verdict(r, VERDICT_SKIPPED, unit_build_elsewhere(job, built.elsewhere));
    } else if (rc == 0 && job->missing) {
        unit_record_verdict(r, VERDICT_SKIPPED, unit_build_skipped(job));
    } else if (rc == 0) {
        take_turn(job->node);
        rc = run_built(job, &built, end, r, e);
    }
    return rc;
}

/* The requirements to build are there. */
static int run_job(struct unit_job *job, struct unexplained_end *end, struct unit_result *r,
                   struct err *e)
{
    struct node_context *n = job->node;
    if (node_context_scratch(n, e) != 0)
        return -1;
    OWNED char *dir = xasprintf("%s/unit-%d", n->scratch.dir, job->unit->index);
    const struct submission *by = &n->run.plan->submissions[job->unit->submission];
    OWNED char *sources = rundir_sources(n->run.dir, by->id);
    /* The reference defines the kernel's function itself. */
    OWNED char *adapter =
        tier_adapts(job->tier, by->is_reference) ? rundir_adapter(n->run.dir, job->tier) : NULL;
    OWNED char *missing = tier_lacks_to_run(job->tier);
    if (!missing)
        missing = tier_lacks_gpus(job->tier);
    int rc;
    job->dir = dir;
    job->sources = sources;
    job->adapter = adapter;
    job->missing = missing;
    timing_lock_share(&n->timing_lock);
    if (job->tier->sweep) {
        unit_record_text(&r->yardstick, xstrdup(node_context_yardstick(n, job->tier)));
        take_turn(n); /* what it builds comes between what it times */
        rc = sweep_unit_run(job, end, r, e);
    } else {
        rc = build_and_run(job, end, r, e);
    }
    fs_remove_tree(dir, NULL);
    return rc;
}

/* Processor time of this process so far, seconds. */
static double own_cpu(void)
{
    struct rusage u;
    if (getrusage(RUSAGE_SELF, &u) != 0)
        return 0;
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

/* Record the cost of a unit as the difference of two moments. Time spent waiting for other units
 * is not its own. */
static void add_cost(struct unit_result *r, const struct node_context *n, double sign)
{
    r->total_seconds += sign * (double)(clock_mono_ns() - n->timing_lock.waited_ns) * 1e-9;
    r->kernel_seconds += sign * n->supervisor.student_seconds;
    r->yardstick_seconds += sign * n->supervisor.own_seconds;
    r->grader_cpu += sign * own_cpu();
}

int unit_run(struct node_context *n, const struct unit *u, const struct selection *selection,
             struct unexplained_end *end, struct unit_result **out, struct err *e)
{
    const struct tier *t = &n->run.assignment->tiers[u->tier];
    struct unit_result *r = *out = unit_record_new(n, u);
    const uint64_t waited_before = n->timing_lock.waited_ns;
    add_cost(r, n, -1);
    char *missing = tier_lacks_to_build(t), *program = driver_program(t->kind);
    struct unit_job job = {
        .node = n, .unit = u, .tier = t, .selection = selection, .program = program};
    int rc = 0;
    if (missing)
        unit_record_verdict(r, VERDICT_SKIPPED, missing);
    else
        rc = run_job(&job, end, r, e);
    /* Any step may have been cut short, also one that no verdict depends on. The signal may have
     * ended the compiler or the driver as well. */
    if (rc == 0 && proctor_stop)
        rc = err_system(e, "the grader was told to stop");
    add_cost(r, n, 1);
    node_step_note_wait(n, waited_before);
    free(program);
    return rc;
}
