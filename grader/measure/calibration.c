#include "measure/calibration.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fsio.h"
#include "base/strbuf.h"
#include "measure/ceiling.h"
#include "measure/device_ceiling.h"
#include "measure/harness_check.h"
#include "measure/measurement.h"
#include "measure/node_hardware.h"
#include "measure/yardstick.h"
#include "model/result.h"
#include "model/summary.h"
#include "rundir/node_file.h"
#include "rundir/node_measuring.h"
#include "rundir/paths.h"
#include "rundir/stage.h"
#include "supervise/driver_pin.h"
#include "supervise/driver_run.h"
#include "supervise/driver_start.h"
#include "supervise/priority.h"
#include "supervise/stop.h"

/* The yardstick is timed alone in so many rounds over all sizes, so that a slow moment does not hit
 * all runs of a size. For the same reason the ceilings are sampled in so many rounds, half of them
 * before all else and half after it. */
enum { ROUNDS = 4 };

/* All speed-ups of a run on this node contain the time of the baseline. So more time is spent on it
 * than on one unit: so many budgets. */
enum { BUDGETS = 2 };

/* Seconds for timing the baseline at a size. */
static double baseline_budget(const struct calibration_task *t)
{
    return BUDGETS * 1e-3 * (double)t->harness->assignment->performance.budget_ms;
}

/* What people are told to expect, beside the budgets. */
#define CEILING_SECONDS 1.5
#define YARDSTICK_SECONDS 0.5 /* of a size */

/* A record is given up when it has not held for so many seconds. To measure the node anew while
 * something interferes takes longer, and gives a worse record. */
#define GIVE_UP_SECONDS 4

/* The performance cases that are timed beside this yardstick. Returns how many. */
static size_t timed_cases(const struct calibration_task *t, const struct test_case **out)
{
    size_t n = 0;
    for (size_t i = 0; i < t->cases->count; i++)
        if (case_timed_beside(t->harness->assignment, t->yardstick, &t->cases->item[i]))
            out[n++] = &t->cases->item[i];
    return n;
}

/* The expected times of the yardstick. */
static int time_yardstick(const struct calibration_task *t, const struct test_case **sizes,
                          size_t count, struct calibration *cal, struct err *e)
{
    double(*time)[ROUNDS] = xcalloc(count + 1, sizeof *time);
    int rc = 0;
    for (int round = 0; round < ROUNDS && rc == 0; round++) {
        arena_move(&t->harness->arena);
        for (size_t i = 0; i < count && rc == 0; i++) {
            struct interval seconds = {0};
            if (round == 0)
                rc = yardstick_check(t->harness, sizes[i], e);
            if (rc == 0)
                rc = yardstick_time_alone(t->harness, sizes[i], &seconds, e);
            time[i][round] = seconds.median;
        }
    }
    for (size_t i = 0; i < count && rc == 0; i++) {
        cal[i].shape = sizes[i]->shape;
        cal[i].yardstick =
            (struct interval){stats_median(time[i], ROUNDS), stats_quantile(time[i], ROUNDS, 0),
                              stats_quantile(time[i], ROUNDS, 1), ROUNDS};
        expected_times_set(&t->harness->expected_times, sizes[i]->shape, cal[i].yardstick.median);
    }
    free(time);
    return rc;
}

/* The baseline's driver, as a unit to be timed. */
struct baseline {
    struct driver_process driver;
    struct driver_spec spec;
};

static void end_baseline(void *with)
{
    struct baseline *b = with;
    if (driver_alive(&b->driver))
        driver_end(&b->driver);
}

static void start_baseline(void *with, struct outcome *o)
{
    struct baseline *b = with;
    driver_start(&b->driver, &b->spec, 0, o);
    if (o->kind == OUTCOME_OK)
        driver_pin(&b->driver, b->spec.cpus, b->spec.cpu_count);
}

/* Seconds of one call at each size: one call at the first size, and from its rate at the others. */
static int guess_seconds(struct harness *h, struct baseline *b, struct timed_size *sizes,
                         size_t count, struct err *e)
{
    struct finding f = FINDING_INIT;
    struct outcome o;
    const struct check_task check = {
        .driver = &b->driver, .test_case = sizes[0].test_case, .runs = 1};
    start_baseline(b, &o);
    if (o.kind != OUTCOME_OK)
        return err_system(e, "the baseline does not start: %s", o.text);
    /* The limit of a case is for students' code. The baseline may be slower, at all sizes. */
    h->case_ms = h->assignment->limits.unit_ms;
    const int rc = harness_check(h, &check, &f, &o);
    h->case_ms = h->assignment->limits.case_ms;
    if (rc != 0)
        return err_system(e, "the baseline failed: %s", o.text);
    if (f.verdict != VERDICT_PASS)
        return err_system(e, "the reference's baseline is wrong: %s", f.message);
    const double operation = f.seconds / h->kernel->operations(sizes[0].test_case->shape);
    for (size_t i = 0; i < count; i++)
        sizes[i].hint = operation * h->kernel->operations(sizes[i].test_case->shape);
    return 0;
}

static void tell_expected(double seconds)
{
    char words[STAGE_TEXT];
    snprintf(words, sizeof words, STAGE_NODE ", about %.0f s", seconds);
    stage_enter(words);
}

/* How long it takes to time the baseline: where one call is long, some calls. */
static double baseline_seconds(const struct timed_size *sizes, size_t count)
{
    double seconds = 1;
    for (size_t i = 0; i < count; i++)
        seconds += fmax(sizes[i].budget, ESTIMATE_PROCESSES_FEW * sizes[i].hint);
    return seconds;
}

/* The baseline is timed as any unit is. */
static int time_baseline(const struct calibration_task *t, struct baseline *b,
                         struct timed_size *sizes, size_t count, struct calibration *cal,
                         struct err *e)
{
    struct harness *h = t->harness;
    const struct performance *p = &h->assignment->performance;
    const struct timed_unit unit = {&b->driver, end_baseline, start_baseline, b};
    const struct measurement_task task = {.sizes = sizes,
                                          .sizes_count = count,
                                          .units = &unit,
                                          .units_count = 1,
                                          .precision = p->precision,
                                          .trials = (size_t)p->trials,
                                          .limit_ms = h->assignment->limits.unit_ms};
    struct finding *findings = xcalloc(count + 1, sizeof *findings);
    struct measurement *m = xcalloc(count + 1, sizeof *m);
    struct outcome o;
    for (size_t i = 0; i < count; i++)
        findings[i] = FINDING_INIT;
    priority_set(PRIORITY_TIMED);
    int rc = guess_seconds(h, b, sizes, count, e);
    if (rc == 0)
        tell_expected(baseline_seconds(sizes, count));
    if (rc == 0 && measurement_take(h, &task, findings, m, &o) != 0)
        rc = err_system(e, "%s", o.text);
    priority_set(PRIORITY_USUAL);
    for (size_t i = 0; i < count; i++) {
        if (rc == 0 && m[i].outcome.kind != OUTCOME_OK)
            rc = err_system(e, "the baseline failed: %s", m[i].outcome.text);
        if (rc == 0 && findings[i].verdict != VERDICT_PASS)
            rc = err_system(e, "the reference's baseline is wrong: %s", findings[i].message);
        if (rc == 0) {
            const struct summary s =
                summary_of(m[i].blocks, m[i].blocks_count, m[i].expected, p->precision);
            /* The yardstick may have been faster beside the baseline than alone before. */
            cal[i].yardstick =
                stats_scaled(cal[i].yardstick, m[i].expected / cal[i].yardstick.median);
            cal[i].baseline = s.seconds;
            cal[i].ratio = stats_scaled(cal[i].baseline, 1 / cal[i].yardstick.median);
        }
        measurement_free(&m[i]);
    }
    free(findings);
    free(m);
    return rc;
}

/* Build the baseline and time it at the sizes of these calibrations, on one core. */
static int measure_baseline(const struct calibration_task *t, const struct cores *core,
                            const struct test_case **cases, size_t count, struct calibration *cal,
                            struct err *e)
{
    struct timed_size *sizes = xcalloc(count + 1, sizeof *sizes);
    struct baseline b = {.driver = DRIVER_PROCESS_INIT, .spec = t->harness->yardstick_spec};
    char *library = NULL;
    b.spec.cpus = core->id;
    b.spec.cpu_count = core->count;
    for (size_t i = 0; i < count; i++)
        sizes[i] = (struct timed_size){.test_case = cases[i], .budget = baseline_budget(t)};
    int rc = count ? t->build_baseline(t->with, &library, e) : 0;
    b.spec.library = library;
    if (rc == 0 && count)
        rc = time_baseline(t, &b, sizes, count, cal, e);
    end_baseline(&b);
    free(library);
    free(sizes);
    return rc;
}

/* Yardstick and baseline at every performance size. */
static int calibrate_host(const struct calibration_task *t, struct node_record *n,
                          const struct cores *core, struct err *e)
{
    const struct test_case **cases = xcalloc(t->cases->count + 1, sizeof *cases);
    const size_t count = timed_cases(t, cases);
    n->calibrations = xcalloc(count + 1, sizeof *n->calibrations);
    int rc = time_yardstick(t, cases, count, n->calibrations, e);
    if (rc == 0)
        rc = measure_baseline(t, core, cases, count, n->calibrations, e);
    if (rc == 0)
        n->calibrations_count = (unsigned)count;
    free(cases);
    return rc;
}

/* The yardstick alone. The baseline of a size is in the record of the assignment's yardstick, or it
 * was not measured at all. */
static int calibrate_alone(const struct calibration_task *t, struct node_record *n, struct err *e)
{
    struct harness *h = t->harness;
    struct node_record *host = NULL;
    char *path = rundir_node(t->run, t->node, h->assignment->yardstick);
    int rc = node_record_load(path, &host, e);
    const struct test_case **cases = xcalloc(t->cases->count + 1, sizeof *cases);
    const size_t count = timed_cases(t, cases);
    n->calibrations = xcalloc(count + 1, sizeof *n->calibrations);
    if (rc == 0)
        rc = time_yardstick(t, cases, count, n->calibrations, e);
    for (size_t i = 0; i < count && rc == 0; i++) {
        struct calibration *cal = &n->calibrations[i];
        const struct calibration *base = node_calibration(host, cal->shape);
        if (!base)
            continue;
        cal->baseline = base->baseline;
        cal->ratio = stats_scaled(cal->baseline, 1 / cal->yardstick.median);
    }
    n->calibrations_count = rc == 0 ? (unsigned)count : 0;
    free(cases);
    node_record_free(host);
    free(path);
    return rc;
}

/* The number of workers of the next ceiling: 1, powers of two, all cores; 0 after that. */
static int more_workers(int workers, int cores)
{
    if (workers == cores)
        return 0;
    return 2 * workers < cores ? 2 * workers : cores;
}

/* A sample of the ceilings of one core, of all cores, and of the powers of two between; of memory
 * only if asked for, because it takes half of the time. Returns true if one of those before was
 * disturbed. */
static bool sample_ceilings(const struct calibration_task *t, struct node_record *n, bool memory)
{
    const struct cores *cores = &t->harness->cores;
    bool raised = false;
    unsigned i = 0;
    for (int workers = 1; workers; workers = more_workers(workers, cores->count), i++) {
        struct cores chosen;
        cores_quietest(cores, workers, &chosen);
        const struct ceiling now =
            ceiling_sample(chosen.id, chosen.count, t->harness->kernel->type, memory);
        if (i == n->ceilings_count) {
            n->ceilings = xrealloc_array(n->ceilings, i + 1, sizeof *n->ceilings);
            n->ceilings[n->ceilings_count++] = now;
        } else {
            raised |= ceiling_raise(&n->ceilings[i], &now);
        }
    }
    ceilings_align(n->ceilings, n->ceilings_count);
    n->peak_gops = n->ceilings[0].gops;
    n->bandwidth_gbs = n->ceilings[0].gbs;
    return raised;
}

static int measure_host(const struct calibration_task *t, struct node_record *n, struct err *e)
{
    struct harness *h = t->harness;
    struct cores core;
    node_describe(n);
    n->cores = h->cores.count;
    cores_quietest(&h->cores, 1, &core);
    driver_pin(&h->yardstick, core.id, core.count);
    n->tiles = ceiling_has_tiles();
    for (int round = 0; round < ROUNDS / 2; round++)
        sample_ceilings(t, n, round == 0);
    n->overhead_us = yardstick_overhead_us(h);
    if ((yardstick_has_baseline(h->assignment, t->yardstick) ? calibrate_host(t, n, &core, e)
                                                             : calibrate_alone(t, n, e)) != 0)
        return -1;
    for (int round = 0; round < ROUNDS / 2; round++)
        sample_ceilings(t, n, round == 0);
    return 0;
}

static int measure_device(const struct calibration_task *t, struct node_record *n, struct err *e)
{
    struct pg_device d;
    struct outcome o;
    driver_describe(&t->harness->yardstick, &d, &o);
    if (o.kind != OUTCOME_OK)
        return err_system(e, "%s", o.text);
    n->model = xstrdup(d.name);
    n->device = true;
    n->cores = n->cores_total = d.processors > 0 ? d.processors : 0;
    n->ceilings = xcalloc(1, sizeof *n->ceilings);
    n->ceilings_count = 1;
    n->ceilings[0] = device_ceiling(&d, t->harness->kernel->type);
    n->peak_gops = n->ceilings[0].gops;
    n->bandwidth_gbs = n->ceilings[0].gbs;
    n->l2 = d.cache_bytes <= INT64_MAX ? d.cache_bytes : 0;
    n->overhead_us = yardstick_overhead_us(t->harness);
    return calibrate_alone(t, n, e);
}

static int make_directory_of(const char *path, struct err *e)
{
    char *dir = xstrdup(path);
    *strrchr(dir, '/') = '\0';
    int rc = fs_mkdirs(dir, e);
    free(dir);
    return rc;
}

/* Does the yardstick still take the times of a record, at every size? Interference can make it
 * slower for some seconds, so it is tried for some seconds. A node that is a little slower or
 * faster than its record is timed as it is (estimate_present()): to measure it anew takes longer
 * than a self-test, and the speed of such a node changes again. */
static bool still_holds(const struct calibration_task *t, const struct node_record *n)
{
    const struct test_case **cases = xcalloc(t->cases->count + 1, sizeof *cases);
    const size_t count = timed_cases(t, cases);
    bool *holds = xcalloc(count + 1, sizeof *holds);
    const uint64_t until = clock_mono_ns() + (uint64_t)(GIVE_UP_SECONDS * 1e9);
    size_t left = count;
    int rc = 0;
    for (int round = 0; rc == 0 && left && (round < ROUNDS || clock_mono_ns() < until); round++) {
        for (size_t i = 0; i < count && rc == 0; i++) {
            const struct calibration *c = node_calibration(n, cases[i]->shape);
            struct interval now = {0};
            struct err ignored = ERR_INIT;
            if (holds[i])
                continue;
            rc = c ? 0 : -1;
            if (rc == 0 && round == 0)
                rc = yardstick_check(t->harness, cases[i], &ignored);
            if (rc == 0)
                rc = yardstick_time_alone(t->harness, cases[i], &now, &ignored);
            holds[i] = rc == 0 && fabs(now.median / c->yardstick.median - 1) <= ESTIMATE_OTHERS;
            left -= holds[i];
        }
    }
    free(holds);
    free(cases);
    return left == 0;
}

/* Keep the record for later runs, unless one of them may have disturbed it. Where this is not
 * possible, they measure it again. */
static void keep(const struct calibration_task *t, const struct node_record *n)
{
    struct err ignored = ERR_INIT;
    if (!t->kept || timing_lock_is_only_own(t->timing_lock) ||
        make_directory_of(t->kept, &ignored) != 0)
        return;
    unlink(t->kept);
    node_record_publish(n, t->kept, &ignored);
}

/* Time the baseline again at the sizes at which its interval in a kept record is rough, and keep
 * what is less rough. The node was busy when the record was made. */
static void improve_baseline(const struct calibration_task *t, struct node_record *n,
                             const struct cores *core)
{
    const struct test_case **cases = xcalloc(t->cases->count + 1, sizeof *cases);
    const size_t count = timed_cases(t, cases);
    struct calibration *now = xcalloc(count + 1, sizeof *now);
    struct err ignored = ERR_INIT;
    size_t rough = 0;
    bool better = false;
    for (size_t i = 0; i < count; i++) {
        const struct calibration *c = node_calibration(n, cases[i]->shape);
        expected_times_set(&t->harness->expected_times, cases[i]->shape, c->yardstick.median);
        if (stats_is_rough(c->baseline)) {
            now[rough] = *c;
            cases[rough++] = cases[i];
        }
    }
    if (measure_baseline(t, core, cases, rough, now, &ignored) != 0)
        rough = 0; /* the kept times are still right */
    for (size_t i = 0; i < rough; i++) {
        struct calibration *kept =
            n->calibrations + (node_calibration(n, now[i].shape) - n->calibrations);
        if (stats_relative_half_width(now[i].baseline) >= stats_relative_half_width(kept->baseline))
            continue;
        /* The yardstick may have been faster just now. Results that are kept refer to its time in
         * the record. */
        kept->ratio = now[i].ratio;
        kept->baseline = stats_scaled(kept->ratio, kept->yardstick.median);
        better = true;
    }
    if (better)
        keep(t, n);
    free(now);
    free(cases);
}

/* Use the kept record for this run, if there is one that still holds. A record of another user may
 * be made up: speed-ups contain the baseline's time. */
static bool use_kept(const struct calibration_task *t, const char *path)
{
    struct node_record *n = NULL;
    struct err ignored = ERR_INIT;
    struct cores core;
    const bool device = driver_uses_device(&t->harness->yardstick);
    if (!t->kept || !fs_is_private(t->kept) || node_record_load(t->kept, &n, &ignored) != 0)
        return false;
    if (!device) {
        cores_quietest(&t->harness->cores, 1, &core);
        driver_pin(&t->harness->yardstick, core.id, core.count);
    }
    stage_enter(STAGE_NODE_AGAIN);
    node_describe_software(n);
    bool used = still_holds(t, n);
    if (used && !device && sample_ceilings(t, n, false))
        keep(t, n);
    if (used && !device && yardstick_has_baseline(t->harness->assignment, t->yardstick))
        improve_baseline(t, n, &core);
    used = used && make_directory_of(path, &ignored) == 0 &&
           node_record_publish(n, path, &ignored) >= 0;
    node_record_free(n);
    return used;
}

/* Roughly how long it takes to measure the node. */
static double expected_seconds(const struct calibration_task *t)
{
    const struct test_case **cases = xcalloc(t->cases->count + 1, sizeof *cases);
    const double sizes = (double)timed_cases(t, cases);
    free(cases);
    return CEILING_SECONDS + sizes * (YARDSTICK_SECONDS + baseline_budget(t));
}

/* Measure the node and publish its record. */
static int measure(const struct calibration_task *t, const char *path, struct err *e)
{
    char now[32];
    clock_utc(now, sizeof now);
    tell_expected(expected_seconds(t));
    struct node_record *n = xcalloc(1, sizeof *n);
    n->yardstick = xstrdup(t->yardstick);
    n->host = xstrdup(t->node);
    n->started = xstrdup(now);
    node_describe_software(n);
    int rc = driver_uses_device(&t->harness->yardstick) ? measure_device(t, n, e)
                                                        : measure_host(t, n, e);
    if (rc == 0)
        rc = make_directory_of(path, e);
    if (rc == 0)
        rc = node_record_publish(n, path, e) < 0 ? -1 : 0;
    if (rc == 0)
        keep(t, n);
    node_record_free(n);
    return rc;
}

int calibration_ensure(const struct calibration_task *t, struct err *e)
{
    char *path = rundir_node(t->run, t->node, t->yardstick);
    int rc = 0;
    if (!fs_exists(path)) {
        timing_lock_record(t->timing_lock);
        /* Perhaps another proctor measured it while this one waited. */
        if (proctor_stop) {
            rc = err_system(e, "the grader was told to stop");
        } else if (!fs_exists(path)) {
            char *notice = node_measuring_begin(t->run, t->node, t->yardstick, t->job);
            if (!use_kept(t, path))
                rc = measure(t, path, e);
            node_measuring_end(notice);
        }
        timing_lock_share(t->timing_lock);
    }
    struct node_record *known = NULL;
    /* Without the expected times, nothing says which times cannot be true. */
    if (rc == 0)
        rc = node_record_load(path, &known, e);
    if (rc == 0) {
        for (unsigned i = 0; i < known->calibrations_count; i++)
            expected_times_set(&t->harness->expected_times, known->calibrations[i].shape,
                               known->calibrations[i].yardstick.median);
        for (unsigned i = 0; i < known->ceilings_count; i++)
            if (!isnan(known->ceilings[i].core_rate))
                expected_core_rate_add(&t->harness->expected_times, known->ceilings[i].workers,
                                       known->ceilings[i].core_rate);
        node_record_free(known);
    }
    free(path);
    return rc;
}
