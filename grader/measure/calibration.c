#include "measure/calibration.h"

#include <hwloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fsio.h"
#include "base/strbuf.h"
#include "measure/ceiling.h"
#include "model/summary.h"
#include "rundir/node_file.h"
#include "rundir/paths.h"
#include "supervise/driver_pin.h"
#include "supervise/driver_run.h"
#include "supervise/driver_start.h"

char *node_key(void)
{
    char host[256] = "localhost";
    const char *slurm = getenv("SLURMD_NODENAME"); /* several node names may share one host */
    if (slurm && *slurm)
        snprintf(host, sizeof host, "%s", slurm);
    else if (gethostname(host, sizeof host - 1) != 0)
        snprintf(host, sizeof host, "localhost");
    for (char *p = host; *p; p++)
        if (*p == '/')
            *p = '_';
    return xstrdup(host);
}

static uint64_t cache_bytes(hwloc_topology_t t, hwloc_obj_type_t level)
{
    hwloc_obj_t o = hwloc_get_obj_by_type(t, level, 0);
    return o && o->attr ? o->attr->cache.size : 0;
}

static void describe(struct node_record *n, const char *key)
{
    n->host = xstrdup(key);
    char now[32];
    clock_utc(now, sizeof now);
    n->started = xstrdup(now);
    hwloc_topology_t t;
    const char *model = NULL;
    if (hwloc_topology_init(&t) == 0) {
        hwloc_topology_set_flags(t, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
        if (hwloc_topology_load(t) == 0) {
            n->cores_total = hwloc_get_nbobjs_by_type(t, HWLOC_OBJ_CORE);
            n->l1d = cache_bytes(t, HWLOC_OBJ_L1CACHE);
            n->l2 = cache_bytes(t, HWLOC_OBJ_L2CACHE);
            n->l3 = cache_bytes(t, HWLOC_OBJ_L3CACHE);
            hwloc_obj_t package = hwloc_get_obj_by_type(t, HWLOC_OBJ_PACKAGE, 0);
            if (package)
                model = hwloc_obj_get_info_by_name(package, "CPUModel");
            n->model = xstrdup(model ? model : "unknown");
        }
        hwloc_topology_destroy(t);
    }
    if (!n->model)
        n->model = xstrdup("unknown");
}

static struct driver_spec single_core_spec(const struct harness *s, const char *library,
                                           const struct cores *core)
{
    struct driver_spec spec = s->yard_spec;
    spec.library = library;
    spec.cpus = core->id;
    spec.cpu_count = core->count;
    return spec;
}

/* Every speed-up of the run on this node contains the ratio of baseline and yardstick: it is worth
 * more time than one unit's. And it is worth many looks, at other pages each. */
enum { LOOKS = 36, BUDGETS = 8, LOOKS_LEAST = 2, FLOOR_LEAST = 6, SAMPLES_PER_LOOK = 3 };

/* A size and what is known of it so far. */
struct looked {
    const struct test_case *c;
    double baseline[LOOKS]; /* seconds at each look, as any unit's */
    unsigned looks;
    double *yardstick; /* of all samples */
    unsigned count;
    uint64_t spent_ns;
};

/* One look takes its share of the time. */
static struct performance one_look(const struct performance *p, double hint)
{
    struct performance t = *p;
    t.budget_ms = p->budget_ms * BUDGETS / LOOKS + 1;
    t.max_samples = hint * SAMPLES_PER_LOOK * 1e3 <= (double)t.budget_ms ? SAMPLES_PER_LOOK : 1;
    t.min_samples = t.max_samples;
    return t;
}

/* Once more baseline beside yardstick. `hint`: seconds of one call. */
static int look(const struct node_task *t, struct driver_process *baseline, struct looked *l,
                double hint, struct err *e)
{
    struct harness *s = t->harness;
    struct case_result r = {.launch = {1, 1}};
    struct outcome o = {0};
    uint64_t from = clock_mono_ns();
    int rc = 0;
    arena_move(&s->arena);
    if (hint <= 0)
        rc = harness_check(s, baseline, l->c, 0, 1, &r, &hint, &o);
    if (rc == 0) {
        struct performance how = one_look(&s->assignment->performance, hint);
        s->wait_budget_ms = how.budget_ms;
        s->one_place = true; /* each look at one of many */
        rc = harness_time(s, &how, baseline, NULL, l->c, hint, s->assignment->limits.unit_ms, &r,
                          &o);
        s->one_place = false;
    }
    if (rc != 0)
        err_system(e, "the baseline failed: %s", o.text);
    else if (r.verdict != VERDICT_PASS)
        rc = err_system(e, "the reference's baseline is wrong: %s", r.message);
    if (rc == 0) {
        l->baseline[l->looks++] = r.seconds.median;
        l->yardstick =
            xrealloc_array(l->yardstick, l->count + r.samples_count + 1, sizeof *l->yardstick);
        for (unsigned i = 0; i < r.samples_count; i++)
            l->yardstick[l->count++] = r.samples[i].yardstick;
    }
    l->spent_ns += clock_mono_ns() - from;
    free(r.samples);
    return rc;
}

/* Not sample by sample: what slows the yardstick need not slow the baseline, nor the other way
 * round. What a yardstick that computes all the time can do is seen in its fastest runs. How fast
 * a baseline is that lives on the shared caches depends on which physical pages it was given, as
 * students' programs do: its time is that of the middle one of many placements. */
static struct calibration conclude(const struct looked *l)
{
    struct interval b = stats_bootstrap_median(l->baseline, l->looks, 0.95, 1);
    /* Where a call takes half a minute there are two looks: they need not agree. */
    unsigned wanted = (l->count + 1) / 2;
    struct interval y =
        summary_floor(l->yardstick, l->count, wanted < FLOOR_LEAST ? wanted : FLOOR_LEAST);
    return (struct calibration){
        .shape = l->c->shape, .baseline = b, .yardstick = y, .ratio = stats_over(b, y)};
}

/* Baseline beside yardstick at every performance size, several times over all sizes. */
static int calibrate(const struct node_task *t, struct node_record *n, const struct cores *core,
                     struct err *e)
{
    struct harness *s = t->harness;
    const struct kernel *k = s->kernel;
    const struct case_list *cases = t->cases;
    struct driver_process baseline;
    struct outcome o;
    struct driver_spec spec = single_core_spec(s, t->baseline_library, core);
    driver_start(&baseline, &spec, 0, &o);
    if (o.kind != OUTCOME_OK)
        return err_system(e, "the baseline does not start: %s", o.text);
    struct looked *size = xcalloc(cases->count + 1, sizeof *size);
    unsigned sizes = 0;
    for (size_t i = 0; i < cases->count; i++)
        if (case_timed_beside(s->assignment, t->yardstick, &cases->item[i]))
            size[sizes++].c = &cases->item[i];
    uint64_t budget_ns = (uint64_t)s->assignment->performance.budget_ms * BUDGETS * 1000000;
    double rate = 0; /* operations per second: tells how long the next size takes */
    int rc = 0;
    for (int round = 0; round < LOOKS && rc == 0; round++) {
        for (unsigned i = 0; i < sizes && rc == 0; i++) {
            struct looked *l = &size[i];
            double operations = k->operations(l->c->shape);
            if (l->spent_ns >= budget_ns && l->looks >= LOOKS_LEAST)
                continue;
            double hint = l->looks ? l->baseline[l->looks - 1] : rate > 0 ? operations / rate : 0;
            rc = look(t, &baseline, l, hint, e);
            if (rc == 0)
                rate = operations / l->baseline[l->looks - 1];
        }
    }
    n->calibrations = xcalloc(sizes + 1, sizeof *n->calibrations);
    for (unsigned i = 0; i < sizes; i++) {
        if (rc == 0)
            n->calibrations[n->calibrations_count++] = conclude(&size[i]);
        free(size[i].yardstick);
    }
    free(size);
    driver_end(&baseline);
    return rc;
}

/* The yardstick alone; the baseline of the same size was measured on the host, or never. */
static int calibrate_device(const struct node_task *t, struct node_record *n, struct err *e)
{
    struct harness *s = t->harness;
    struct node_record *host = NULL;
    char *path = rundir_node(t->run, t->key, s->assignment->yardstick);
    int rc = node_record_load(path, &host, e);
    n->calibrations = xcalloc(t->cases->count, sizeof *n->calibrations);
    for (size_t i = 0; i < t->cases->count && rc == 0; i++) {
        const struct test_case *c = &t->cases->item[i];
        if (!case_timed_beside(s->assignment, t->yardstick, c))
            continue;
        struct calibration *cal = &n->calibrations[n->calibrations_count++];
        const struct calibration *base = node_calibration(host, c->shape);
        cal->shape = c->shape;
        rc = harness_time_yardstick(s, c, &cal->yardstick, e);
        if (rc != 0 || !base)
            continue;
        cal->baseline = base->baseline;
        cal->ratio = stats_over(cal->baseline, cal->yardstick);
    }
    node_record_free(host);
    free(path);
    return rc;
}

static int measure_host(const struct node_task *t, struct node_record *n, struct err *e)
{
    struct cores core;
    describe(n, t->key);
    n->cores = t->harness->cores.count;
    cores_quietest(&t->harness->cores, 1, &core);
    driver_pin(&t->harness->yard, core.id, core.count);
    n->peak_gops = ceiling_multiply_add();
    n->bandwidth_gbs = ceiling_copy();
    n->overhead_us = harness_overhead_us(t->harness);
    return calibrate(t, n, &core, e);
}

static int measure_device(const struct node_task *t, struct node_record *n, struct err *e)
{
    struct pg_device d;
    struct outcome o;
    char now[32];
    driver_describe(&t->harness->yard, &d, &o);
    if (o.kind != OUTCOME_OK)
        return err_system(e, "%s", o.text);
    clock_utc(now, sizeof now);
    n->host = xstrdup(t->key);
    n->started = xstrdup(now);
    n->model = xstrdup(d.name);
    n->device = true;
    n->cores = n->cores_total = d.processors > 0 ? d.processors : 0;
    n->peak_gops = d.peak_gops;
    n->bandwidth_gbs = d.copy_gbs;
    n->l2 = d.cache_bytes <= INT64_MAX ? d.cache_bytes : 0;
    n->overhead_us = harness_overhead_us(t->harness);
    return calibrate_device(t, n, e);
}

static int measure(const struct node_task *t, const char *path, struct err *e)
{
    struct node_record n = {.yardstick = xstrdup(t->yardstick)};
    int rc =
        driver_has_device(&t->harness->yard) ? measure_device(t, &n, e) : measure_host(t, &n, e);
    char *dir = xstrdup(path);
    *strrchr(dir, '/') = '\0';
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

int node_ensure(const struct node_task *t, struct err *e)
{
    char *path = rundir_node(t->run, t->key, t->yardstick);
    int rc = 0;
    if (!fs_exists(path)) {
        timing_lock_exclusive(t->timing_lock);
        if (!fs_exists(path)) /* nobody measured it while we waited */
            rc = measure(t, path, e);
        timing_lock_share(t->timing_lock);
    }
    struct node_record *known = NULL;
    if (rc == 0 && node_record_load(path, &known, e) == 0) {
        for (unsigned i = 0; i < known->calibrations_count; i++)
            harness_expect(t->harness, known->calibrations[i].shape,
                           known->calibrations[i].yardstick.median);
        node_record_free(known);
    }
    free(path);
    return rc;
}
