/*
 * Order of things: every combination is built; those that build get a driver each, for every
 * launch shape, a group of them alive at a time, all but one halted. All correctness cases are
 * tried with each; what passes is measured, size by size, the whole group in turns.
 */
#include "proctor/sweep_unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/fsio.h"
#include "base/proc.h"
#include "base/strbuf.h"
#include "build/build.h"
#include "model/sweep.h"
#include "proctor/fault.h"
#include "rundir/paths.h"
#include "supervise/driver_pin.h"
#include "supervise/driver_start.h"

/* Drivers alive at a time: each of a GPU's holds some hundred megabytes of its memory. */
enum { GROUP = 12 };

/* Budgets of all contenders that may be spent on waiting for a calm node, at each size. */
enum { PATIENCE = 2 };

struct sweep {
    struct context *b;
    struct harness *harness;
    const struct unit *unit;
    struct unexplained_end *unexplained;
    const struct tier *tier;
    const char *program;
    const char *dir;
    struct unit_result *r;
    unsigned built, ran; /* protections around every compiler and every driver so far */
    uint64_t deadline;
    size_t room; /* cases that r has room for: pointers into it stay good */
};

/* A combination under one launch shape. */
struct contender {
    int point, launch_index;
    struct launch launch;
    struct cores cores;
    char *library, *scratch, *shm;
    struct driver_process driver;
    struct driver_spec spec;
    bool out;
};

static struct case_result *new_case(struct sweep *s, const struct test_case *c, int point,
                                    int launch_index, struct launch l)
{
    struct unit_result *r = s->r;
    if (r->cases_count == s->room)
        return NULL;
    struct case_result *cr = &r->cases[r->cases_count++];
    *cr = (struct case_result){.case_index = c->index,
                               .point = point,
                               .launch_index = launch_index,
                               .launch = l,
                               .oversubscribed = l.ranks * l.threads > s->harness->cores.count};
    cr->seconds = cr->relative = cr->end_to_end = stats_bootstrap_median(NULL, 0, 0.95, 0);
    cr->cores_used = cr->busiest = cr->yard_expected = (double)NAN;
    return cr;
}

static bool size_of_sweep(const struct sweep *s, const struct test_case *c)
{
    return c->kind == CASE_PERFORMANCE && case_applies(s->b->assignment, s->tier, c);
}

/* The same for every size: what kept the combination from being measured. */
static void record_failure(struct sweep *s, int point, int launch_index, struct launch l,
                           enum verdict v, const char *message)
{
    for (size_t i = 0; i < s->b->cases.count; i++) {
        const struct test_case *c = &s->b->cases.item[i];
        struct case_result *cr =
            size_of_sweep(s, c) ? new_case(s, c, point, launch_index, l) : NULL;
        if (!cr)
            continue;
        cr->verdict = v;
        snprintf(cr->message, sizeof cr->message, "%s", message);
    }
}

/* *library: NULL when the combination does not build, which is recorded. */
static int build_one(struct sweep *s, int point, char **library, struct err *e)
{
    struct build built = {0};
    char *sources = rundir_sources(s->b->run, s->b->plan->submissions[s->unit->submission].id);
    char *dir = xasprintf("%s/p%d", s->dir, point),
         **defines = sweep_defines(s->tier, (unsigned)point);
    const struct build_job job = {.tier = s->tier,
                                  .limits = &s->b->assignment->limits,
                                  .sandbox = &s->b->sandbox,
                                  .sources = sources,
                                  .source = s->unit->source,
                                  .defines = defines,
                                  .dir = dir};
    int rc = build_tier(&job, &built, e);
    *library = NULL;
    if (rc == 0) {
        struct unit_result *r = s->r;
        r->build_seconds += built.seconds;
        s->built &= built.protections;
        char **texts[][2] = {{&r->build_command, &built.command},
                             {&r->compiler, &built.compiler},
                             {&r->source_hash, &built.source_hash}};
        for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
            if (!*texts[i][1])
                continue;
            free(*texts[i][0]);
            *texts[i][0] = *texts[i][1];
            *texts[i][1] = NULL;
        }
        if (built.verdict == VERDICT_PASS) {
            *library = xstrdup(built.library);
        } else {
            for (unsigned l = 0; l < tier_launch_count(s->tier); l++)
                record_failure(s, point, (int)l, tier_launch(s->tier, l), built.verdict,
                               built.message);
        }
    }
    build_free(&built);
    proc_argv_free(defines);
    free(dir);
    free(sources);
    return rc;
}

/* The driver is lost: its own fault is recorded, -1 else. */
static int drop(struct sweep *s, struct contender *x, const struct outcome *o,
                struct case_result *cr, struct err *e)
{
    char message[sizeof cr->message];
    enum verdict v =
        fault_attribute(s->harness, &x->driver, false, o, s->unexplained, message, sizeof message);
    if (v == VERDICT_INFRA_ERROR)
        return err_system(e, "%s", message);
    x->out = true;
    if (cr) {
        cr->verdict = v;
        memcpy(cr->message, message, sizeof message);
        cr->samples_count = 0;
    } else {
        record_failure(s, x->point, x->launch_index, x->launch, v, message);
    }
    return 0;
}

static int enter(struct sweep *s, struct contender *x, struct err *e)
{
    const struct context *b = s->b;
    struct outcome o;
    cores_quietest(&s->harness->cores, x->launch.ranks * x->launch.threads, &x->cores);
    x->scratch = xasprintf("%s/home-%d-%d", s->dir, x->point, x->launch_index);
    if (b->scratch.shm)
        x->shm = xasprintf("%s/sweep-%d-%d", b->scratch.shm, x->point, x->launch_index);
    if (fs_mkdirs(x->scratch, e) != 0 || (x->shm && fs_mkdirs(x->shm, e) != 0))
        return -1;
    x->spec = (struct driver_spec){.kind = s->tier->kind,
                                   .launch = x->launch,
                                   .memory = s->tier->memory == MEMORY_MAPPED ? PG_MEMORY_MAPPED
                                                                              : PG_MEMORY_DEVICE,
                                   .program = s->program,
                                   .launcher = s->tier->launcher,
                                   .library = x->library,
                                   .function = s->harness->kernel->function,
                                   .scratch = x->scratch,
                                   .shm = x->shm,
                                   .cpus = x->cores.id,
                                   .cpu_count = x->cores.count,
                                   .limits = &b->assignment->limits,
                                   .sandbox = &b->sandbox};
    driver_start(&x->driver, &x->spec, s->deadline, &o);
    s->ran &= x->driver.protections;
    return o.kind == OUTCOME_OK ? 0 : drop(s, x, &o, NULL, e);
}

static int check(struct sweep *s, struct contender *x, struct err *e)
{
    const struct context *b = s->b;
    for (size_t i = 0; i < b->cases.count && !x->out; i++) {
        const struct test_case *c = &b->cases.item[i];
        struct case_result cr = {.launch = x->launch};
        struct outcome o;
        if (c->kind == CASE_PERFORMANCE)
            continue;
        if (harness_check(s->harness, &x->driver, c, (uint64_t)x->point, 1, &cr, NULL, &o) != 0) {
            if (drop(s, x, &o, NULL, e) != 0)
                return -1;
        } else if (cr.verdict != VERDICT_PASS) {
            char shape[SHAPE_TEXT], *text;
            shape_format(c->shape, shape);
            text = xasprintf("case %d (%s): %s", c->index, shape, cr.message);
            record_failure(s, x->point, x->launch_index, x->launch, cr.verdict, text);
            free(text);
            x->out = true;
        }
    }
    return 0;
}

/* One size for a group: a first look at each, then all in turns. */
static int measure(struct sweep *s, struct contender *x, size_t n, const struct test_case *c,
                   struct err *e)
{
    const struct assignment *a = s->b->assignment;
    struct timed_unit timed_units[GROUP];
    size_t who[GROUP], count = 0;
    double hint = 0;
    struct outcome o;
    for (size_t i = 0; i < n; i++) {
        double seconds = 0;
        if (x[i].out)
            continue;
        struct case_result *cr = new_case(s, c, x[i].point, x[i].launch_index, x[i].launch);
        if (!cr)
            continue;
        if (harness_check(s->harness, &x[i].driver, c, (uint64_t)x[i].point, 2, cr, &seconds, &o) !=
            0) {
            if (drop(s, &x[i], &o, cr, e) != 0)
                return -1;
            continue;
        }
        if (cr->verdict != VERDICT_PASS || cr->oversubscribed || driver_fell_back(&x[i].driver))
            continue;
        hint = count == 0 || seconds < hint ? seconds : hint;
        timed_units[count] = (struct timed_unit){.driver = &x[i].driver, .r = cr};
        who[count++] = i;
    }
    if (!count)
        return 0;
    s->harness->wait_budget_ms = PATIENCE * (int64_t)count * a->performance.budget_ms;
    if (harness_time_in_turns(s->harness, &a->performance, timed_units, count, c, hint,
                              a->limits.case_ms, &o) != 0)
        return err_system(e, "%s", o.text);
    for (size_t i = 0; i < count; i++)
        if (timed_units[i].o.kind != OUTCOME_OK &&
            drop(s, &x[who[i]], &timed_units[i].o, timed_units[i].r, e) != 0)
            return -1;
    return 0;
}

static int run_group(struct sweep *s, struct contender *x, size_t n, struct err *e)
{
    struct context *b = s->b;
    int rc = 0;
    for (size_t i = 0; i < n && rc == 0; i++)
        rc = enter(s, &x[i], e);
    for (size_t i = 0; i < n && rc == 0; i++)
        if (!x[i].out)
            rc = check(s, &x[i], e);
    timing_lock_exclusive(&b->timing_lock);
    driver_pin(&s->harness->yard, x[0].cores.id, 1);
    for (size_t i = 0; i < b->cases.count && rc == 0; i++)
        if (size_of_sweep(s, &b->cases.item[i]))
            rc = measure(s, x, n, &b->cases.item[i], e);
    timing_lock_share(&b->timing_lock);
    for (size_t i = 0; i < n; i++) {
        if (!s->r->device[0] && x[i].driver.device[0]) {
            free(s->r->device);
            s->r->device = xstrdup(x[i].driver.device);
        }
        if (driver_alive(&x[i].driver))
            driver_end(&x[i].driver);
        if (x[i].scratch)
            fs_remove_tree(x[i].scratch, NULL);
        if (x[i].shm)
            fs_remove_tree(x[i].shm, NULL);
        free(x[i].scratch);
        free(x[i].shm);
    }
    return rc;
}

static void conclude(struct sweep *s)
{
    struct unit_result *r = s->r;
    r->verdict = VERDICT_PASS;
    for (unsigned i = 0; i < r->cases_count; i++)
        r->verdict = verdict_worse(r->verdict, r->cases[i].verdict);
    for (unsigned i = 0; i < r->cases_count && r->verdict != VERDICT_PASS; i++) {
        if (r->cases[i].verdict != r->verdict)
            continue;
        char *point = sweep_point_text(s->tier, (unsigned)r->cases[i].point);
        free(r->message);
        r->message = xasprintf("%s%s%s", point, *point ? ": " : "", r->cases[i].message);
        free(point);
        return;
    }
}

int sweep_unit_run(struct context *b, const struct unit *u, struct unexplained_end *d,
                   const char *program, const char *dir, struct unit_result *r, struct err *e)
{
    const struct tier *t = &b->assignment->tiers[u->tier];
    const unsigned points = sweep_points(t), launches = tier_launch_count(t);
    struct sweep s = {.b = b,
                      .harness = node_harness(b, t, false, e),
                      .unit = u,
                      .unexplained = d,
                      .tier = t,
                      .program = program,
                      .dir = dir,
                      .r = r,
                      .built = ~0U,
                      .ran = ~0U};
    if (!s.harness)
        return -1;
    /* Every combination may take what a tier may. */
    s.deadline =
        clock_mono_ns() + (uint64_t)b->assignment->limits.unit_ms * 1000000 * points * launches;
    s.room = (size_t)points * launches * tier_size_count(b->assignment, t);
    r->cases = xcalloc(s.room + 1, sizeof *r->cases);
    r->cores = s.harness->cores.count;
    char **library = xcalloc(points, sizeof *library);
    struct contender group[GROUP];
    size_t n = 0;
    int rc = 0;
    for (unsigned p = 0; p < points && rc == 0; p++)
        rc = build_one(&s, (int)p, &library[p], e);
    for (unsigned i = 0; i < points * launches && rc == 0; i++) {
        unsigned p = i / launches, l = i % launches;
        if (library[p])
            group[n++] = (struct contender){.point = (int)p,
                                            .launch_index = (int)l,
                                            .launch = tier_launch(t, l),
                                            .library = library[p],
                                            .driver = DRIVER_PROCESS_INIT};
        if (n == GROUP || (n && i + 1 == points * launches)) {
            rc = run_group(&s, group, n, e);
            n = 0;
        }
    }
    r->protections = protection_throughout(s.built, s.ran);
    if (rc == 0)
        conclude(&s);
    for (unsigned p = 0; p < points; p++)
        free(library[p]);
    free(library);
    return rc;
}
