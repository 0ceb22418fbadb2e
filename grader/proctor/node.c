#include "proctor/node.h"

#include <hwloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fsio.h"
#include "base/strbuf.h"
#include "kernel/ceiling.h"
#include "model/rundir.h"

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
            n->cpu_model = xstrdup(model ? model : "unknown");
        }
        hwloc_topology_destroy(t);
    }
    if (!n->cpu_model)
        n->cpu_model = xstrdup("unknown");
}

static struct session_spec single_core_spec(const struct stand *s, const char *library,
                                            const struct cores *core)
{
    struct session_spec spec = s->yard_spec;
    spec.library = library;
    spec.cpus = core->id;
    spec.cpu_count = core->count;
    return spec;
}

/* Sizes that only tiers of other kinds have (a GPU's) would take a baseline on the host for ever.
 */
static bool for_host(const struct assignment *a, const struct test_case *c)
{
    if (c->kind != CASE_PERFORMANCE)
        return false;
    for (unsigned t = 0; t < a->tiers_count; t++)
        if ((a->tiers[t].kind == LAUNCH_CPU || a->tiers[t].kind == LAUNCH_MPI) &&
            case_applies(a, &a->tiers[t], c))
            return true;
    return false;
}

/* Every speed-up of the run on this node contains this ratio: it is worth more time than one
 * unit's. */
static struct performance thorough(const struct performance *p)
{
    struct performance t = *p;
    t.budget_ms *= 8;
    t.precision /= 2;
    if (t.min_samples < t.max_samples / 2)
        t.min_samples = t.max_samples / 2;
    return t;
}

/* Baseline beside yardstick at every performance size. */
static int calibrate(struct stand *s, struct node_record *n, const struct case_list *cases,
                     const char *library, const struct cores *core, struct err *e)
{
    struct session baseline;
    struct outcome o;
    struct session_spec spec = single_core_spec(s, library, core);
    session_start(&baseline, &spec, 0, &o);
    if (o.kind != OUTCOME_OK)
        return err_system(e, "the baseline does not start: %s", o.text);
    n->calibrations = xcalloc(cases->count, sizeof *n->calibrations);
    struct performance how = thorough(&s->assignment->performance);
    int rc = 0;
    for (size_t i = 0; i < cases->count && rc == 0; i++) {
        const struct test_case *c = &cases->item[i];
        if (!for_host(s->assignment, c))
            continue;
        struct case_result r = {.launch = {1, 1}};
        /* A size that passed tells how long the next takes: repeat only what is short. */
        const struct calibration *last =
            n->calibrations_count ? &n->calibrations[n->calibrations_count - 1] : NULL;
        double hint = last ? last->baseline.median * s->kernel->operations(c->shape) /
                                 s->kernel->operations(last->shape)
                           : 0;
        if ((!last && stand_check(s, &baseline, c, 0, 1, &r, &hint, &o) != 0) ||
            stand_time(s, &how, &baseline, c, 1000, hint, s->assignment->limits.unit_ms, &r, &o) !=
                0)
            rc = err_system(e, "the baseline failed: %s", o.text);
        else if (r.verdict != VERDICT_PASS)
            rc = err_system(e, "the reference's baseline is wrong: %s", r.message);
        if (rc == 0) {
            struct calibration *cal = &n->calibrations[n->calibrations_count++];
            cal->shape = c->shape;
            cal->baseline = r.seconds;
            /* relative = yardstick / baseline; its reciprocal swaps the bounds */
            cal->ratio = (struct interval){1 / r.relative.median, 1 / r.relative.high,
                                           1 / r.relative.low, r.relative.n};
            cal->yardstick = (struct interval){r.seconds.median * r.relative.median,
                                               r.seconds.median * r.relative.low,
                                               r.seconds.median * r.relative.high, r.relative.n};
        }
        free(r.samples);
    }
    session_end(&baseline);
    return rc;
}

int node_ensure(const char *run, const char *key, struct stand *stand, struct quiet *quiet,
                const struct case_list *cases, const char *baseline_library, struct err *e)
{
    char *path = rundir_node(run, key);
    int rc = 0;
    if (!fs_exists(path)) {
        quiet_alone(quiet);
        if (!fs_exists(path)) { /* nobody measured it while we waited */
            struct node_record n = {0};
            struct cores core;
            describe(&n, key);
            n.cores = stand->cores.count;
            cores_quietest(&stand->cores, 1, &core);
            session_pin(&stand->yard, core.id, core.count);
            n.peak_gops = ceiling_multiply_add();
            n.bandwidth_gbs = ceiling_copy();
            n.overhead_us = stand_overhead_us(stand);
            rc = calibrate(stand, &n, cases, baseline_library, &core, e);
            char *slash = strrchr(path, '/');
            *slash = '\0';
            if (rc == 0)
                rc = fs_mkdirs(path, e);
            *slash = '/';
            if (rc == 0)
                rc = node_record_publish(&n, path, e) < 0 ? -1 : 0;
            free(n.host);
            free(n.cpu_model);
            free(n.started);
            free(n.calibrations);
        }
        quiet_share(quiet);
    }
    struct node_record *known = NULL;
    if (rc == 0 && node_record_load(path, &known, e) == 0) {
        for (unsigned i = 0; i < known->calibrations_count; i++)
            stand_know_pace(stand, known->calibrations[i].shape,
                            known->calibrations[i].yardstick.median);
        node_record_free(known);
    }
    free(path);
    return rc;
}
