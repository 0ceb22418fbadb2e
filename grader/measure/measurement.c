#include "measure/measurement.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/strbuf.h"
#include "measure/acceptance.h"
#include "measure/device_clock.h"
#include "measure/timing_loop.h"
#include "measure/timing_sample.h"
#include "supervise/priority.h"

void measurement_store(struct measurement *m, struct case_result *r)
{
    if (!m->samples)
        return;
    r->samples = m->samples;
    r->samples_count = m->samples_count;
    r->yard_expected = m->expected;
    r->seconds = m->summary.seconds;
    r->relative = m->summary.relative;
    r->end_to_end = m->summary.end_to_end;
    r->precise = m->summary.precise;
    r->cores_used = m->cores_used;
    r->busiest = m->busiest;
    r->ranks = m->ranks;
    r->ranks_count = m->ranks_count;
    *m = (struct measurement){0};
}

void measurement_free(struct measurement *m)
{
    free(m->samples);
    free(m->ranks);
    *m = (struct measurement){0};
}

static int64_t ms_since(uint64_t started)
{
    return (int64_t)((clock_mono_ns() - started) / 1000000);
}

static bool still_right(const struct loop_unit *u)
{
    return u->outcome.kind == OUTCOME_OK && u->finding->verdict == VERDICT_PASS;
}

/* A new driver process, and its blocks. */
static int time_next_process(struct loop_task *task, const struct series_plan *plan,
                             const struct restart *restart, struct loop_unit *u,
                             struct interference *seen, struct outcome *o)
{
    u->first = u->count;
    u->process++;
    restart->start(restart->with, &u->outcome);
    u->over = u->outcome.kind != OUTCOME_OK;
    return u->over ? 0 : timing_loop_run(task, plan, u, 1, seen, o);
}

/* Some processes at least; then more, until they say precisely enough what to expect, or the budget
 * is spent. If a few would take too long, the first process gets all of the time. */
static int time_processes(struct loop_task *task, const struct series_plan *all,
                          const struct restart *restart, struct loop_unit *u,
                          struct interference *seen, struct outcome *o)
{
    const struct series_plan one = series_of_one_process(all);
    const uint64_t started = clock_mono_ns();
    if (timing_loop_run(task, &one, u, 1, seen, o) != 0)
        return -1;
    const int64_t spent_ms = ms_since(started);
    if (series_too_long(all, spent_ms, (int64_t)(seen->disturbed_ns / 1000000))) {
        const struct series_plan rest = series_rest(all, spent_ms);
        u->over = !still_right(u) || rest.performance.budget_ms <= 0;
        return u->over ? 0 : timing_loop_run(task, &rest, u, 1, seen, o);
    }
    while (still_right(u) && series_needs_process(all, u->process + 1, u->estimate.summary.precise,
                                                  ms_since(started)))
        if (time_next_process(task, &one, restart, u, seen, o) != 0)
            return -1;
    return 0;
}

/* Put what the blocks say into the unit's results. */
static void conclude(struct loop_unit *l, bool complete, double expected, struct timed_unit *u)
{
    if (complete && still_right(l))
        device_compare_clocks(l->blocks, l->count, l->estimate.summary.seconds.median, l->finding);
    if (complete && still_right(l))
        device_compare_copies(l->blocks, l->count, l->finding);
    u->outcome = l->outcome;
    u->measurement = (struct measurement){.samples = blocks_samples(l->blocks, l->count),
                                          .samples_count = l->count,
                                          .expected = expected,
                                          .summary = l->estimate.summary};
    blocks_cores(l->blocks, l->count, &u->measurement.cores_used, &u->measurement.busiest);
}

int measurement_take_in_turns(struct harness *h, const struct measurement_task *task,
                              struct timed_unit *units, size_t n, int64_t *wait_budget_ms,
                              struct outcome *o)
{
    const struct shape shape = task->test_case->shape;
    struct expected_time *expected = expected_times_get(&h->expected_times, shape);
    struct series_plan plan = {*task->performance, *wait_budget_ms};
    struct loop_task loop = {.harness = h,
                             .test_case = task->test_case,
                             .hint = task->hint,
                             .limit_ms = task->limit_ms,
                             .same_pages = task->same_pages,
                             .reps = timing_loop_reps(h, shape, task->hint)};
    struct own_core *own_core = &h->yardstick_spec.supervisor->own_core;
    struct interference seen = INTERFERENCE_INIT;
    struct loop_unit *in_loop = xcalloc(n, sizeof *in_loop);
    plan.performance.budget_ms *= (int64_t)n; /* the budgets of all units together */
    for (size_t i = 0; i < n; i++) {
        in_loop[i] = (struct loop_unit){.driver = units[i].driver, .finding = units[i].finding};
        in_loop[i].blocks =
            xcalloc(series_blocks_most(task->performance), sizeof *in_loop[i].blocks);
        in_loop[i].estimate = blocks_estimate(in_loop[i].blocks, 0, 0, task->performance, expected);
    }
    *o = (struct outcome){0};
    if (h->yardstick.core >= 0)
        own_core_settle(own_core, h->yardstick.core);
    priority_set(PRIORITY_TIMED);
    const uint64_t started = clock_mono_ns();
    int rc = n == 1 && units[0].restart
                 ? time_processes(&loop, &plan, units[0].restart, in_loop, &seen, o)
                 : timing_loop_run(&loop, &plan, in_loop, n, &seen, o);
    *wait_budget_ms =
        wait_budget_left(*wait_budget_ms, ms_since(started) - plan.performance.budget_ms, &seen);
    expected_time_update(expected, &seen, *wait_budget_ms > 0);
    own_core_leave(own_core);
    priority_set(PRIORITY_USUAL);
    for (size_t i = 0; i < n; i++) {
        conclude(&in_loop[i], rc == 0, expected->recorded, &units[i]);
        free(in_loop[i].blocks);
    }
    free(in_loop);
    return rc;
}

/* What the ranks did in the samples. */
static int ask_ranks(const struct measurement_task *task, struct timed_unit *u, struct outcome *o)
{
    const unsigned n = (unsigned)u->driver->spec.launch.ranks;
    struct rank_work *ranks = xcalloc(n, sizeof *ranks);
    for (unsigned i = 0; i < n; i++)
        ranks[i].compute_seconds = ranks[i].mpi_seconds = (double)NAN;
    if (timing_ask_ranks(u->driver, task->limit_ms, ranks, o) != 0) {
        free(ranks);
        return -1;
    }
    u->measurement.ranks = ranks;
    u->measurement.ranks_count = n;
    return 0;
}

int measurement_take(struct harness *h, const struct measurement_task *task, struct timed_unit *u,
                     int64_t *wait_budget_ms, struct outcome *o)
{
    const bool ranks = u->driver->spec.launch.ranks > 1;
    if (ranks && timing_ask_ranks(u->driver, task->limit_ms, NULL, o) != 0)
        return -1;
    if (measurement_take_in_turns(h, task, u, 1, wait_budget_ms, o) != 0)
        return -1;
    if (u->outcome.kind != OUTCOME_OK) {
        *o = u->outcome;
        return -1;
    }
    return ranks ? ask_ranks(task, u, o) : 0;
}
