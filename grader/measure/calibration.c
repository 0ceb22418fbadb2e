#include "measure/calibration.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/fsio.h"
#include "base/strbuf.h"
#include "measure/ceiling.h"
#include "measure/ceilings_cache.h"
#include "measure/device_ceiling.h"
#include "measure/measurement.h"
#include "measure/node_ceilings.h"
#include "measure/node_hardware.h"
#include "measure/record_cache.h"
#include "measure/yardstick.h"
#include "model/result.h"
#include "rundir/node_file.h"
#include "rundir/node_measuring.h"
#include "rundir/paths.h"
#include "rundir/stage.h"
#include "supervise/driver_pin.h"
#include "supervise/driver_run.h"
#include "supervise/driver_start.h"
#include "supervise/priority.h"
#include "supervise/stop.h"

/* The yardstick is timed alone, and the ceilings are sampled, in so many rounds, so that a slow
 * moment does not hit all of them. Half of the ceilings come before all else and half after it. */
enum { ROUNDS = 4 };

/* All speed-ups of a run on this node contain the time of the baseline. So more time is spent on it
 * than on one unit: so many budgets. */
enum { BUDGETS = 2 };

/* What people are told to expect, beside the budgets. */
#define CEILING_SECONDS 1.5

/* Seconds for timing the baseline at a size. */
static double baseline_budget(const struct calibration_task *t)
{
    return BUDGETS * 1e-3 * (double)t->harness->assignment->performance.budget_ms;
}

/* The performance cases that are timed beside this yardstick. Returns how many. */
static size_t timed_cases(const struct calibration_task *t, const struct test_case **out)
{
    size_t n = 0;
    for (size_t i = 0; i < t->cases->count; i++)
        if (case_timed_beside(t->harness->assignment, t->yardstick, &t->cases->item[i]))
            out[n++] = &t->cases->item[i];
    return n;
}

/* Certify the yardstick at each size, and time it alone. */
static int time_yardstick(const struct calibration_task *t, const struct test_case **sizes,
                          struct node_record *n, struct err *e)
{
    struct outcome o = {0};
    for (unsigned i = 0; i < n->calibrations_count; i++) {
        struct calibration *c = &n->calibrations[i];
        if (yardstick_check(t->harness, sizes[i], e) != 0)
            return -1;
        *c = (struct calibration){.shape = sizes[i]->shape,
                                  .samples = xcalloc(ROUNDS, sizeof *c->samples),
                                  .samples_count = ROUNDS,
                                  .known = (double)NAN};
    }
    for (int round = 0; round < ROUNDS; round++) {
        arena_move(&t->harness->arena);
        for (unsigned i = 0; i < n->calibrations_count; i++) {
            struct sample *s = &n->calibrations[i].samples[round];
            *s = (struct sample){.start = round,
                                 .reps = 1,
                                 .yardstick = (double)NAN,
                                 .unit = (double)NAN,
                                 .cores = (double)NAN,
                                 .busiest = (double)NAN};
            if (yardstick_alone(t->harness, sizes[i], &s->alone, &o) != 0)
                return err_system(e, "%s", o.text);
        }
    }
    return 0;
}

/* The baseline's driver, as a unit to be timed. */
struct baseline {
    struct driver_process driver;
    struct driver_spec spec;
};

static bool end_baseline(void *with, struct series *failed)
{
    struct baseline *b = with;
    if (driver_alive(&b->driver))
        driver_end(&b->driver);
    return !failed;
}

static void start_baseline(void *with, struct outcome *o)
{
    struct baseline *b = with;
    driver_start(&b->driver, &b->spec, 0, o);
    if (o->kind == OUTCOME_OK)
        driver_pin(&b->driver, b->spec.cpus, b->spec.cpu_count);
}

/* Time the baseline as any unit is timed, at the calibrations for which it is not confirmed. */
static int time_baseline(const struct calibration_task *t, struct baseline *b,
                         const struct test_case **sizes, struct node_record *n, struct err *e)
{
    struct harness *h = t->harness;
    const struct timed_unit unit = {&b->driver, start_baseline, end_baseline, b, &b->spec};
    OWNED struct series *series = xcalloc(n->calibrations_count + 1, sizeof *series);
    OWNED struct calibration **which =
        xcalloc(n->calibrations_count + 1, sizeof(struct calibration *));
    struct measurement_task task = {.unit = &unit,
                                    .units = 1,
                                    .what = STAGE_NODE ": baseline",
                                    .precision = h->assignment->performance.precision,
                                    .limit_ms = h->assignment->limits.unit_ms};
    struct outcome o = {0};
    for (unsigned i = 0; i < n->calibrations_count; i++) {
        struct calibration *c = &n->calibrations[i];
        known_times_note(&h->known, c->shape, c->record);
        if (c->confirmed || sizes[i]->weak)
            continue;
        which[task.sizes] = c;
        series[task.sizes++] = (struct series){.test_case = sizes[i],
                                               .budget = baseline_budget(t),
                                               .finding = FINDING_INIT,
                                               .sample = c->samples,
                                               .count = c->samples_count,
                                               .room = c->samples_count};
        c->samples = NULL;
        c->samples_count = 0;
    }
    priority_set(PRIORITY_TIMED);
    int rc = measurement_take(h, &task, series, &o);
    priority_set(PRIORITY_USUAL);
    if (rc != 0)
        err_system(e, "%s", o.text);
    for (size_t i = 0; i < task.sizes; i++) {
        if (rc == 0 && series[i].outcome.kind != OUTCOME_OK)
            rc = err_system(e, "the baseline failed: %s", series[i].outcome.text);
        if (rc == 0 && series[i].finding.verdict != VERDICT_PASS)
            rc = err_system(e, "the reference's baseline is wrong: %s", series[i].finding.message);
        which[i]->samples = series[i].sample;
        which[i]->samples_count = series[i].count;
        series[i].sample = NULL;
        series_free(&series[i]);
    }
    return rc;
}

/* Build the baseline and time it on one core, if it is not confirmed at all sizes. */
static int measure_baseline(const struct calibration_task *t, const struct cores *core,
                            const struct test_case **sizes, struct node_record *n, struct err *e)
{
    struct baseline b = {.driver = DRIVER_PROCESS_INIT, .spec = t->harness->yardstick_spec};
    OWNED char *library = NULL;
    unsigned wanted = 0;
    node_record_derive(n, NULL, t->harness->assignment->performance.precision);
    for (unsigned i = 0; i < n->calibrations_count; i++)
        wanted += !n->calibrations[i].confirmed && !sizes[i]->weak; /* no speed-up is asked there */
    if (!wanted)
        return 0;
    b.spec.cpus = core->id;
    b.spec.cpu_count = core->count;
    int rc = t->build_baseline(t->with, &library, e);
    b.spec.library = library;
    if (rc == 0)
        rc = time_baseline(t, &b, sizes, n, e);
    return rc;
}

/* The yardstick, and the baseline if this yardstick has it, at every performance size. */
static int measure_times(const struct calibration_task *t, const struct cores *core,
                         struct node_record *n, struct err *e)
{
    const struct test_case **sizes = xcalloc(t->cases->count + 1, sizeof *sizes);
    n->calibrations_count = (unsigned)timed_cases(t, sizes);
    n->calibrations = xcalloc(n->calibrations_count + 1, sizeof *n->calibrations);
    int rc = time_yardstick(t, sizes, n, e);
    if (rc == 0 && core && yardstick_has_baseline(t->harness->assignment, t->yardstick))
        rc = measure_baseline(t, core, sizes, n, e);
    free(sizes);
    return rc;
}

/* For later runs, unless another one may have disturbed it. */
static void keep(const struct calibration_task *t, const struct node_record *n)
{
    if (!timing_lock_is_only_own(t->timing_lock))
        record_cache_save(t->cached, n);
}

static void keep_ceilings(const struct calibration_task *t, const struct node_record *n)
{
    if (!timing_lock_is_only_own(t->timing_lock))
        ceilings_cache_save(t->cached_ceilings, n);
}

static void sample_ceilings(const struct calibration_task *t, struct node_record *n, int rounds,
                            bool memory)
{
    const struct harness *h = t->harness;
    for (int round = 0; round < rounds; round++)
        node_ceilings_sample(n, &h->cores, h->kernel->type, memory && round == 0);
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
    const enum ceilings_cached cached = ceilings_cache_take(t->cached_ceilings, n);
    if (cached == CEILINGS_NONE)
        sample_ceilings(t, n, ROUNDS / 2, true);
    n->overhead_us = yardstick_overhead_us(h);
    if (measure_times(t, &core, n, e) != 0)
        return -1;
    if (cached == CEILINGS_NONE)
        sample_ceilings(t, n, ROUNDS / 2, true);
    else if (cached == CEILINGS_OLD)
        sample_ceilings(t, n, 1, false);
    if (cached != CEILINGS_RECENT)
        keep_ceilings(t, n);
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
    return measure_times(t, NULL, n, e);
}

/* Use the cached record for this run, if there is one, with a sample of the ceilings if the last
 * one is not recent. The record is kept again, unless another run may have disturbed it. */
static bool use_cached(const struct calibration_task *t, const char *path)
{
    struct harness *h = t->harness;
    struct err ignored = ERR_INIT;
    struct cores core;
    const struct test_case **sizes = xcalloc(t->cases->count + 1, sizeof *sizes);
    struct node_record *n = record_cache_load(t->cached, sizes, timed_cases(t, sizes));
    bool used = n != NULL;
    if (used)
        node_describe_software(n);
    if (used && !n->device) {
        cores_quietest(&h->cores, 1, &core);
        if (ceilings_cache_take(t->cached_ceilings, n) != CEILINGS_RECENT) {
            sample_ceilings(t, n, 1, false);
            keep_ceilings(t, n);
        }
        node_record_forget_unconfirmed(n, h->assignment->performance.precision);
        if (yardstick_has_baseline(h->assignment, t->yardstick))
            used = measure_baseline(t, &core, sizes, n, &ignored) == 0;
        if (used)
            keep(t, n);
    }
    used = used && node_record_publish(n, path, &ignored) >= 0;
    free(sizes);
    node_record_free(n);
    return used;
}

/* Measure the node and publish its record. */
static int measure(const struct calibration_task *t, const char *path, struct err *e)
{
    char now[32];
    clock_utc(now, sizeof now);
    const struct test_case **sizes = xcalloc(t->cases->count + 1, sizeof *sizes);
    stage_enter_node(CEILING_SECONDS + (double)timed_cases(t, sizes) * baseline_budget(t));
    free(sizes);
    struct node_record *n = xcalloc(1, sizeof *n);
    n->yardstick = xstrdup(t->yardstick);
    n->host = xstrdup(t->node);
    n->started = xstrdup(now);
    node_describe_software(n);
    int rc = t->harness->yardstick.computes == ON_DEVICE ? measure_device(t, n, e)
                                                         : measure_host(t, n, e);
    if (rc == 0)
        rc = node_record_publish(n, path, e) < 0 ? -1 : 0;
    if (rc == 0)
        keep(t, n);
    node_record_free(n);
    return rc;
}

/* The record of this run, from now on in the harness. */
static int learn(const struct calibration_task *t, const char *path, struct err *e)
{
    struct node_record *n = NULL;
    /* Without the record, nothing says which times cannot be true. */
    if (node_record_load(path, &n, e) != 0)
        return -1;
    record_known(n, &t->harness->known);
    record_cache_learn(t->cached, &t->harness->known);
    node_record_free(n);
    return 0;
}

int calibration_ensure(const struct calibration_task *t, struct err *e)
{
    OWNED char *path = rundir_node(t->run, t->node, t->yardstick);
    int rc = 0;
    if (!fs_exists(path)) {
        timing_lock_record(t->timing_lock);
        /* Perhaps another proctor measured it while this one waited. */
        if (proctor_stop) {
            rc = err_system(e, "the grader was told to stop");
        } else if (!fs_exists(path)) {
            char *notice = node_measuring_begin(t->run, t->node, t->yardstick, t->job);
            if (!use_cached(t, path))
                rc = measure(t, path, e);
            node_measuring_end(notice);
        }
        timing_lock_share(t->timing_lock);
    }
    if (rc == 0)
        rc = learn(t, path, e);
    return rc;
}
