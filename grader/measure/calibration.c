#include "measure/calibration.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/fsio.h"
#include "base/strbuf.h"
#include "measure/ceiling.h"
#include "measure/harness_check.h"
#include "measure/measurement.h"
#include "measure/node_hardware.h"
#include "measure/yardstick.h"
#include "model/result.h"
#include "model/summary.h"
#include "rundir/node_file.h"
#include "rundir/paths.h"
#include "supervise/driver_pin.h"
#include "supervise/driver_run.h"
#include "supervise/driver_start.h"

/* All speed-ups of a run on this node contain the ratio of baseline and yardstick. So more time is
 * spent on it than on one unit: the budgets of so many units. It is spent in many rounds, each with
 * other pages. */
enum { ROUNDS = 36, BUDGETS = 8, ROUNDS_LEAST = 2, FLOOR_LEAST = 6, SAMPLES_PER_ROUND = 3 };

/* A size, and what is known of it so far. */
struct size {
    const struct test_case *test_case;
    double baseline[ROUNDS]; /* seconds in each round, measured as any unit is */
    unsigned rounds;
    double *yardstick; /* seconds, of all samples */
    unsigned count;
    uint64_t spent_ns;
};

/* Each round takes its share of the time. */
static struct performance one_round(const struct performance *all, double hint)
{
    struct performance p = *all;
    p.budget_ms = all->budget_ms * BUDGETS / ROUNDS + 1;
    p.max_samples = hint * SAMPLES_PER_ROUND * 1e3 <= (double)p.budget_ms ? SAMPLES_PER_ROUND : 1;
    p.min_samples = p.max_samples;
    return p;
}

static void add_round(struct size *s, const struct measurement *m)
{
    s->baseline[s->rounds++] = m->summary.seconds.median;
    s->yardstick =
        xrealloc_array(s->yardstick, s->count + m->samples_count + 1, sizeof *s->yardstick);
    for (unsigned i = 0; i < m->samples_count; i++)
        s->yardstick[s->count++] = m->samples[i].yardstick;
}

/* One round of a size: the baseline beside the yardstick. hint: seconds of one call; 0: unknown. */
static int calibration_round(struct harness *h, struct driver_process *baseline, struct size *s,
                             double hint, struct err *e)
{
    struct finding f = FINDING_INIT;
    struct timed_unit unit = {.driver = baseline, .finding = &f};
    const struct check_task check = {.driver = baseline, .test_case = s->test_case, .runs = 1};
    struct outcome o;
    const uint64_t started = clock_mono_ns();
    int rc = 0;
    arena_move(&h->arena);
    if (hint <= 0) {
        rc = harness_check(h, &check, &f, &o);
        hint = f.seconds;
    }
    if (rc == 0) {
        const struct performance p = one_round(&h->assignment->performance, hint);
        const struct measurement_task task = {.test_case = s->test_case,
                                              .performance = &p,
                                              .hint = hint,
                                              .limit_ms = h->assignment->limits.unit_ms,
                                              .same_pages = true}; /* other ones each round */
        int64_t wait_budget_ms = p.budget_ms;
        rc = measurement_take(h, &task, &unit, &wait_budget_ms, &o);
    }
    if (rc != 0)
        err_system(e, "the baseline failed: %s", o.text);
    else if (f.verdict != VERDICT_PASS)
        rc = err_system(e, "the reference's baseline is wrong: %s", f.message);
    else
        add_round(s, &unit.measurement);
    s->spent_ns += clock_mono_ns() - started;
    measurement_free(&unit.measurement);
    return rc;
}

/* The two times are not compared sample by sample: what slows the yardstick need not slow the
 * baseline, and the other way round. The yardstick computes all the time, so its fastest runs show
 * what it can do. The speed of a baseline that uses the shared caches depends on which physical
 * pages it was given, as it does for the students' programs. So the baseline's time is the median
 * over many placements. */
static struct calibration conclude(const struct size *s)
{
    const struct interval b = stats_bootstrap_median(s->baseline, s->rounds, 0.95, 1);
    /* Where a call takes half a minute, there are two rounds only. They need not agree. */
    const unsigned wanted = (s->count + 1) / 2;
    const struct interval y =
        summary_floor(s->yardstick, s->count, wanted < FLOOR_LEAST ? wanted : FLOOR_LEAST);
    return (struct calibration){
        .shape = s->test_case->shape, .baseline = b, .yardstick = y, .ratio = stats_over(b, y)};
}

/* Several rounds over all sizes. */
static int run_rounds(struct harness *h, struct driver_process *baseline, struct size *sizes,
                      unsigned count, struct err *e)
{
    const uint64_t budget_ns = (uint64_t)h->assignment->performance.budget_ms * BUDGETS * 1000000;
    double rate = 0; /* operations per second: tells how long the next size takes */
    for (int round = 0; round < ROUNDS; round++) {
        for (unsigned i = 0; i < count; i++) {
            struct size *s = &sizes[i];
            const double operations = h->kernel->operations(s->test_case->shape);
            if (s->spent_ns >= budget_ns && s->rounds >= ROUNDS_LEAST)
                continue;
            double hint = rate > 0 ? operations / rate : 0;
            if (s->rounds)
                hint = s->baseline[s->rounds - 1];
            if (calibration_round(h, baseline, s, hint, e) != 0)
                return -1;
            rate = operations / s->baseline[s->rounds - 1];
        }
    }
    return 0;
}

/* The baseline beside the yardstick at every performance size. */
static int calibrate_host(const struct calibration_task *t, struct node_record *n,
                          const struct cores *core, struct err *e)
{
    struct harness *h = t->harness;
    struct driver_process baseline;
    struct outcome o;
    struct driver_spec spec = h->yardstick_spec;
    spec.library = t->baseline_library;
    spec.cpus = core->id;
    spec.cpu_count = core->count;
    driver_start(&baseline, &spec, 0, &o);
    if (o.kind != OUTCOME_OK)
        return err_system(e, "the baseline does not start: %s", o.text);
    struct size *sizes = xcalloc(t->cases->count + 1, sizeof *sizes);
    unsigned count = 0;
    for (size_t i = 0; i < t->cases->count; i++)
        if (case_timed_beside(h->assignment, t->yardstick, &t->cases->item[i]))
            sizes[count++].test_case = &t->cases->item[i];
    int rc = run_rounds(h, &baseline, sizes, count, e);
    n->calibrations = xcalloc(count + 1, sizeof *n->calibrations);
    for (unsigned i = 0; i < count; i++) {
        if (rc == 0)
            n->calibrations[n->calibrations_count++] = conclude(&sizes[i]);
        free(sizes[i].yardstick);
    }
    free(sizes);
    driver_end(&baseline);
    return rc;
}

/* The yardstick alone. The baseline of a size was measured on the host, or not at all. */
static int calibrate_device(const struct calibration_task *t, struct node_record *n, struct err *e)
{
    struct harness *h = t->harness;
    struct node_record *host = NULL;
    char *path = rundir_node(t->run, t->node, h->assignment->yardstick);
    int rc = node_record_load(path, &host, e);
    n->calibrations = xcalloc(t->cases->count, sizeof *n->calibrations);
    for (size_t i = 0; i < t->cases->count && rc == 0; i++) {
        const struct test_case *c = &t->cases->item[i];
        if (!case_timed_beside(h->assignment, t->yardstick, c))
            continue;
        struct calibration *cal = &n->calibrations[n->calibrations_count++];
        const struct calibration *base = node_calibration(host, c->shape);
        cal->shape = c->shape;
        rc = yardstick_time_alone(h, c, &cal->yardstick, e);
        if (rc != 0 || !base)
            continue;
        cal->baseline = base->baseline;
        cal->ratio = stats_over(cal->baseline, cal->yardstick);
    }
    node_record_free(host);
    free(path);
    return rc;
}

static int measure_host(const struct calibration_task *t, struct node_record *n, struct err *e)
{
    struct harness *h = t->harness;
    struct cores core;
    node_describe(n);
    n->cores = h->cores.count;
    cores_quietest(&h->cores, 1, &core);
    driver_pin(&h->yardstick, core.id, core.count);
    n->peak_gops = ceiling_multiply_add();
    n->tiles = ceiling_has_tiles();
    n->bandwidth_gbs = ceiling_copy();
    n->overhead_us = yardstick_overhead_us(h);
    return calibrate_host(t, n, &core, e);
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
    n->peak_gops = d.peak_gops;
    n->bandwidth_gbs = d.copy_gbs;
    n->l2 = d.cache_bytes <= INT64_MAX ? d.cache_bytes : 0;
    n->overhead_us = yardstick_overhead_us(t->harness);
    return calibrate_device(t, n, e);
}

/* Measure the node and publish its record. */
static int measure(const struct calibration_task *t, const char *path, struct err *e)
{
    char now[32], *dir = xstrdup(path);
    clock_utc(now, sizeof now);
    *strrchr(dir, '/') = '\0';
    struct node_record n = {.yardstick = xstrdup(t->yardstick)};
    n.host = xstrdup(t->node);
    n.started = xstrdup(now);
    int rc = driver_has_device(&t->harness->yardstick) ? measure_device(t, &n, e)
                                                       : measure_host(t, &n, e);
    if (rc == 0)
        rc = fs_mkdirs(dir, e);
    if (rc == 0)
        rc = node_record_publish(&n, path, e) < 0 ? -1 : 0;
    free(dir);
    free(n.host);
    free(n.yardstick);
    free(n.model);
    free(n.started);
    free(n.calibrations);
    return rc;
}

int calibration_ensure(const struct calibration_task *t, struct err *e)
{
    char *path = rundir_node(t->run, t->node, t->yardstick);
    int rc = 0;
    if (!fs_exists(path)) {
        timing_lock_exclusive(t->timing_lock);
        if (!fs_exists(path)) /* no other proctor measured it while this one waited */
            rc = measure(t, path, e);
        timing_lock_share(t->timing_lock);
    }
    struct node_record *known = NULL;
    if (rc == 0 && node_record_load(path, &known, e) == 0) {
        for (unsigned i = 0; i < known->calibrations_count; i++)
            expected_times_record(&t->harness->expected_times, known->calibrations[i].shape,
                                  known->calibrations[i].yardstick.median);
        node_record_free(known);
    }
    free(path);
    return rc;
}
