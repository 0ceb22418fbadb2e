#include "measure/measurement.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/strbuf.h"
#include "measure/core_probe.h"
#include "measure/timed_blocks.h"
#include "measure/yardstick.h"
#include "model/summary.h"
#include "supervise/cores.h"
#include "supervise/driver_process.h"

void measurement_free(struct measurement *m)
{
    free(m->blocks);
    free(m->ranks);
    *m = (struct measurement){0};
}

void measurement_store(struct measurement *m, double precision, struct case_result *r)
{
    if (!m->blocks_count)
        return;
    const struct summary s = summary_of(m->blocks, m->blocks_count, m->expected, precision);
    r->blocks = m->blocks;
    r->blocks_count = m->blocks_count;
    r->yard_expected = m->expected;
    r->seconds = s.seconds;
    r->relative = s.relative;
    r->end_to_end = s.end_to_end;
    r->precise = s.precise;
    r->cores_used = s.cores;
    r->busiest = s.busiest;
    r->ranks = m->ranks;
    r->ranks_count = m->ranks_count;
    *m = (struct measurement){0};
}

/* Measure what is to be expected, as far as the node's record does not say it. */
static int learn_expected(const struct measurement_task *task, struct block_task *b,
                          struct outcome *o)
{
    struct harness *h = b->harness;
    for (size_t s = 0; s < task->sizes_count; s++) {
        const struct test_case *c = task->sizes[s].test_case;
        struct interval seconds;
        struct err e = ERR_INIT;
        if (!isnan(expected_times_get(&h->expected_times, c->shape)))
            continue;
        if (yardstick_check(h, c, &e) != 0 || yardstick_time_alone(h, c, &seconds, &e) != 0) {
            outcome_set(o, OUTCOME_NOT_STARTED, "%s", e.text);
            return -1;
        }
        expected_times_set(&h->expected_times, c->shape, seconds.median);
    }
    b->core_rate = expected_core_rate(&h->expected_times, b->cpu_count);
    if (b->cpu_count > 1 && isnan(b->core_rate)) {
        b->core_rate = core_probe_expected(b->cpus, b->cpu_count);
        expected_core_rate_add(&h->expected_times, b->cpu_count, b->core_rate);
    }
    return 0;
}

/* What all blocks have in common. It is read here, because driver_end() clears it. */
static struct block_task blocks_of(struct harness *h, const struct measurement_task *task)
{
    struct block_task b = {.harness = h,
                           .limit_ms = task->limit_ms,
                           .precision = task->precision,
                           .trials = task->trials,
                           .device = driver_uses_device(task->units[0].driver)};
    /* The host's pages do not matter to a device. MPI may have to register pages that it has not
     * sent from before. */
    b.same_pages = b.device;
    for (size_t u = 0; u < task->units_count; u++) {
        const struct driver_spec *spec = &task->units[u].driver->spec;
        b.same_pages = b.same_pages || spec->launch.ranks > 1;
        const int workers = launch_workers(spec->launch);
        const int count = workers < spec->cpu_count ? workers : spec->cpu_count;
        if (count <= b.cpu_count)
            continue;
        b.cpus = spec->cpus; /* of the widest one */
        b.cpu_count = count;
    }
    return b;
}

/* Seconds of the yardstick at one size, without any process of the units. */
static int time_alone(struct harness *h, const struct test_case *c, double *seconds,
                      struct outcome *o)
{
    if (harness_lay_out(h, c->shape, 1, true, o) != 0)
        return -1;
    driver_case(&h->yardstick, &h->arena, true, o);
    if (o->kind != OUTCOME_OK) {
        harness_own_driver_failed(o);
        return -1;
    }
    arena_generate(&h->arena, c, 0, 1);
    return yardstick_run(h, 1, 0, seconds, o);
}

static double probe_alone(const struct block_task *b)
{
    struct busy_cores *busy = b->harness->yardstick_spec.supervisor->busy_cores;
    const double slower = core_probe(busy, b->cpus, b->cpu_count, b->core_rate);
    busy_cores_rest(busy);
    return slower;
}

static bool size_wants_process(const struct measurement_task *task,
                               const struct block_series *series, size_t size)
{
    for (size_t u = 0; u < task->units_count; u++)
        if (series[u * task->sizes_count + size].state == SERIES_WANTS_PROCESS)
            return true;
    return false;
}

static bool any_wants_process(const struct measurement_task *task,
                              const struct block_series *series)
{
    for (size_t s = 0; s < task->sizes_count; s++)
        if (size_wants_process(task, series, s))
            return true;
    return false;
}

/* End the unit's series: its driver is lost, or it is wrong. */
static void stop_unit(struct block_series *series, size_t sizes)
{
    for (size_t s = 0; s < sizes; s++)
        series[s].state = SERIES_OVER;
}

/* Each size that needs a process pays a part of what its start took. */
static void share_cost(struct block_series *row, size_t sizes, double seconds)
{
    size_t wanting = 0;
    for (size_t s = 0; s < sizes; s++)
        wanting += row[s].state == SERIES_WANTS_PROCESS;
    for (size_t s = 0; s < sizes; s++)
        if (row[s].state == SERIES_WANTS_PROCESS)
            row[s].waited += seconds / (double)wanting;
}

/* Start the next process of each unit that needs one. The sizes of a unit are a row. */
static void start_processes(const struct measurement_task *task, struct block_series *series)
{
    for (size_t u = 0; u < task->units_count; u++) {
        struct block_series *row = &series[u * task->sizes_count];
        size_t s = 0;
        while (s < task->sizes_count && row[s].state != SERIES_WANTS_PROCESS)
            s++;
        if (s == task->sizes_count)
            continue;
        const uint64_t started = clock_mono_ns();
        task->units[u].start(task->units[u].with, &row[s].outcome);
        share_cost(row, task->sizes_count, (double)(clock_mono_ns() - started) * 1e-9);
        if (row[s].outcome.kind != OUTCOME_OK)
            stop_unit(row, task->sizes_count);
    }
}

static struct shape_range range_of(const struct measurement_task *task, const struct kernel *k)
{
    struct shape *shapes = xcalloc(task->sizes_count, sizeof *shapes);
    for (size_t s = 0; s < task->sizes_count; s++)
        shapes[s] = task->sizes[s].test_case->shape;
    const struct shape_range r = run_overhead_range(k, shapes, task->sizes_count);
    free(shapes);
    return r;
}

/* One process of each unit, at all sizes. */
static int run_process(const struct measurement_task *task, struct block_task *blocks,
                       struct run_overhead *overhead, struct block_series *series,
                       struct outcome *o)
{
    for (size_t u = 0; u < task->units_count; u++)
        task->units[u].end(task->units[u].with);
    double *alone = xcalloc(task->sizes_count, sizeof *alone);
    int rc = 0;
    for (size_t s = 0; s < task->sizes_count && rc == 0; s++)
        if (size_wants_process(task, series, s))
            rc = time_alone(blocks->harness, task->sizes[s].test_case, &alone[s], o);
    blocks->others_alone = probe_alone(blocks);
    if (rc == 0)
        rc = run_overhead_measure(overhead, range_of(task, blocks->harness->kernel), o);
    if (rc == 0)
        start_processes(task, series);
    struct block_series **column = xcalloc(task->units_count, sizeof *column);
    for (size_t s = 0; s < task->sizes_count && rc == 0; s++) {
        for (size_t u = 0; u < task->units_count; u++)
            column[u] = &series[u * task->sizes_count + s];
        blocks->test_case = task->sizes[s].test_case;
        blocks->budget = task->sizes[s].budget;
        blocks->alone = alone[s];
        rc = timed_blocks_take(blocks, column, task->units_count, o);
        for (size_t u = 0; u < task->units_count; u++)
            if (column[u]->state == SERIES_OVER && !block_series_right(column[u]))
                stop_unit(&series[u * task->sizes_count], task->sizes_count);
    }
    free(column);
    free(alone);
    return rc;
}

static bool row_is_right(const struct block_series *row, size_t sizes)
{
    for (size_t s = 0; s < sizes; s++)
        if (!block_series_right(&row[s]))
            return false;
    return true;
}

static struct measurement conclude(const struct block_series *s)
{
    return (struct measurement){.blocks = s->blocks,
                                .blocks_count = s->count,
                                .expected = s->expected,
                                .ranks = s->ranks,
                                .ranks_count = s->ranks_count,
                                .outcome = s->outcome};
}

/* What was measured of one unit. What a unit took until it was wrong, or its driver was lost, is no
 * time: its last processes are missing, and it may have been fast because it is wrong. */
static void conclude_unit(const struct block_series *row, size_t sizes, struct measurement *results)
{
    const bool right = row_is_right(row, sizes);
    for (size_t s = 0; s < sizes; s++) {
        results[s] = conclude(&row[s]);
        if (!right) {
            const struct outcome o = results[s].outcome;
            measurement_free(&results[s]);
            results[s].outcome = o;
        }
    }
}

int measurement_take(struct harness *h, const struct measurement_task *task,
                     struct finding *findings, struct measurement *results, struct outcome *o)
{
    const size_t all = task->units_count * task->sizes_count;
    struct block_series *series = xcalloc(all + 1, sizeof *series);
    struct block_task blocks = blocks_of(h, task);
    struct run_overhead overhead;
    struct supervisor *supervisor = h->yardstick_spec.supervisor;
    *o = (struct outcome){0};
    if (h->yardstick.core >= 0)
        own_core_settle(&supervisor->own_core, h->yardstick.core);
    int rc = learn_expected(task, &blocks, o);
    if (rc == 0)
        rc = run_overhead_start(&overhead, h, task->units[0].driver, o);
    if (rc == 0)
        blocks.overhead = &overhead;
    if (blocks.cpu_count > 1)
        supervisor->busy_cores = busy_cores_start(blocks.cpus, blocks.cpu_count);
    for (size_t i = 0; i < all; i++) {
        const struct timed_size *size = &task->sizes[i % task->sizes_count];
        const double recorded = expected_times_get(&h->expected_times, size->test_case->shape);
        series[i] = (struct block_series){.driver = task->units[i / task->sizes_count].driver,
                                          .finding = &findings[i],
                                          .recorded = recorded,
                                          .expected = recorded,
                                          .hint = size->hint,
                                          .state = SERIES_WANTS_PROCESS};
    }
    for (; rc == 0 && any_wants_process(task, series); blocks.process++)
        rc = run_process(task, &blocks, &overhead, series, o);
    if (blocks.overhead)
        run_overhead_end(&overhead);
    busy_cores_end(supervisor->busy_cores);
    supervisor->busy_cores = NULL;
    own_core_leave(&supervisor->own_core);
    for (size_t u = 0; u < task->units_count; u++)
        conclude_unit(&series[u * task->sizes_count], task->sizes_count,
                      &results[u * task->sizes_count]);
    free(series);
    return rc;
}
