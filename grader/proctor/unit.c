/*
 * Order of things: requirements, build, then for each launch shape one driver that gets all
 * correctness cases and - if all of them passed - the timed ones; last the stress runs with more
 * threads than cores, which exist to make races show. A driver that died is replaced, so that one
 * bad case does not hide the others; after limits.failures of those the unit is over.
 */
#include "proctor/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/fsio.h"
#include "base/strbuf.h"
#include "build/build.h"
#include "build/symbols.h"
#include "model/plausible.h"
#include "proctor/attest.h"
#include "proctor/fault.h"
#include "proctor/sweep_unit.h"
#include "rundir/node_file.h"
#include "rundir/paths.h"
#include "supervise/driver_pin.h"
#include "supervise/driver_program.h"
#include "supervise/driver_start.h"

/* Numbers of values: no two launches of a unit ever see the same. */
enum { RUNS_PER_LAUNCH = 1000000 };

/* Budgets beyond those of the sizes that a launch may spend on waiting for a calm node, at
 * whichever size needs it: slow spells last for seconds, and some for half a minute. */
enum { PATIENCE = 5 };

/* Half of a replay with threads is made one by one, but no more than this; the rest back to back.
 */
enum { REPLAY_ALONE = 100 };

struct work {
    struct context *b;
    struct harness *harness;
    const struct tier *tier;
    const struct selection *sel;
    struct unexplained_end *unexplained;
    struct unit_result *r;
    const struct build *built;
    char *program;
    struct driver_process driver;
    struct driver_spec spec;
    unsigned ran; /* protections around every driver so far */
    uint64_t deadline;
    int failures; /* drivers lost through the kernel's fault */
    bool over;    /* no further cases */
    bool wrong;   /* some case failed: nothing is timed */
    bool race;    /* one was found: no need to look for more */
};

static struct case_result *new_case(struct unit_result *r, const struct test_case *c,
                                    int launch_index, struct launch launch, int cores)
{
    r->cases = xrealloc_array(r->cases, r->cases_count + 1, sizeof *r->cases);
    struct case_result *cr = &r->cases[r->cases_count++];
    *cr = (struct case_result){.case_index = c->index,
                               .launch_index = launch_index,
                               .launch = launch,
                               .oversubscribed = launch.ranks * launch.threads > cores};
    cr->cores_used = cr->busiest = cr->yard_expected = (double)NAN;
    cr->seconds = cr->relative = cr->end_to_end = stats_bootstrap_median(NULL, 0, 0.95, 0);
    return cr;
}

/* A unit's limit does not run while it waits for the node to become quiet. */
static void extend_deadline(struct work *w, uint64_t waited_before)
{
    w->deadline += w->b->timing_lock.waited_ns - waited_before;
    w->driver.unit_deadline = w->deadline;
}

/* Empty: what one driver leaves must not keep the next from starting. */
static void clear_directory(const char *dir)
{
    if (!dir)
        return;
    fs_remove_tree(dir, NULL);
    fs_mkdirs(dir, NULL);
}

static int start_driver(struct work *w, struct outcome *o)
{
    node_context_end_orphans(w->b);
    clear_directory(w->spec.scratch);
    clear_directory(w->spec.shm);
    driver_start(&w->driver, &w->spec, w->deadline, o);
    w->ran &= w->driver.protections;
    return o->kind == OUTCOME_OK ? 0 : -1;
}

static void keep_output(struct work *w)
{
    if (w->driver.device[0]) {
        free(w->r->device);
        w->r->device = xstrdup(w->driver.device);
    }
    if (!w->r->output[0] && w->driver.output.len) {
        free(w->r->output);
        w->r->output = xstrdup(w->driver.output.s);
    }
    if ((double)w->driver.peak_memory > w->r->peak_memory)
        w->r->peak_memory = (double)w->driver.peak_memory;
}

/* The driver is lost. 0: the student's doing, recorded in *cr; -1: infrastructure. */
static int lose(struct work *w, const struct outcome *o, struct case_result *cr, struct err *e)
{
    char message[sizeof cr->message];
    keep_output(w);
    enum verdict v =
        fault_attribute(w->harness, &w->driver, true, o, w->unexplained, message, sizeof message);
    if (v == VERDICT_INFRA_ERROR)
        return err_system(e, "%s", message);
    cr->verdict = v;
    memcpy(cr->message, message, sizeof message);
    cr->samples_count = 0;
    w->failures++;
    w->wrong = true;
    if (o->kind == OUTCOME_UNIT_TIMEOUT || o->kind == OUTCOME_LOAD_FAILED ||
        w->failures >= w->b->assignment->limits.failures)
        w->over = true;
    return 0;
}

static int ensure_driver(struct work *w, struct case_result *cr, struct err *e)
{
    struct outcome o;
    if (driver_alive(&w->driver) || start_driver(w, &o) == 0)
        return 0;
    return lose(w, &o, cr, e);
}

static bool failed_alone(const struct work *w, int case_index)
{
    for (unsigned i = 0; i < w->r->cases_count; i++) {
        const struct case_result *cr = &w->r->cases[i];
        if (cr->case_index == case_index && cr->launch.ranks * cr->launch.threads == 1 &&
            cr->verdict != VERDICT_PASS)
            return true;
    }
    return false;
}

/* What looks for races leaves half of the unit's limit to what must be done. */
static bool time_to_spare(const struct work *w)
{
    uint64_t half = (uint64_t)w->b->assignment->limits.unit_ms * 1000000 / 2;
    return clock_mono_ns() + half < w->deadline;
}

/* A wrong result of several workers: by chance, or always the same? */
static int confirm(struct work *w, const struct test_case *c, struct case_result *cr,
                   struct outcome *o)
{
    if (cr->verdict != VERDICT_WRONG_ANSWER || cr->launch.ranks * cr->launch.threads < 2 ||
        !time_to_spare(w))
        return 0;
    int rc = harness_confirm(w->harness, &w->driver, c, failed_alone(w, c->index), cr, o);
    w->race = w->race || cr->race;
    return rc;
}

/* The runs of one case: one by one, then (for threads) back to back. */
static int run_case(struct work *w, const struct test_case *c, struct case_result *cr,
                    uint64_t first_run, int runs, double *seconds, struct outcome *o)
{
    const bool replay = w->sel->case_index >= 0, threads = cr->launch.threads > 1;
    int alone = runs;
    if (replay && threads)
        alone = runs / 2 < REPLAY_ALONE ? (runs + 1) / 2 : REPLAY_ALONE;
    if (harness_check(w->harness, &w->driver, c, first_run, alone, cr, seconds, o) != 0)
        return -1;
    if (replay && alone < runs)
        return harness_press(w->harness, &w->driver, c, first_run, 0, runs, *seconds, cr, o);
    if (replay || !threads || w->race || cr->verdict != VERDICT_PASS ||
        c->kind == CASE_PERFORMANCE || !time_to_spare(w))
        return 0;
    return harness_press(w->harness, &w->driver, c, first_run,
                         w->b->assignment->correctness.stress_time_ms, 0, *seconds, cr, o);
}

static int check_case(struct work *w, const struct test_case *c, struct case_result *cr,
                      uint64_t first_run, int runs, double *seconds, struct err *e)
{
    struct outcome o;
    if (ensure_driver(w, cr, e) != 0)
        return -1;
    if (cr->verdict != VERDICT_PASS)
        return 0;
    if (run_case(w, c, cr, first_run, runs, seconds, &o) != 0 || confirm(w, c, cr, &o) != 0)
        return lose(w, &o, cr, e);
    if (cr->verdict != VERDICT_PASS)
        w->wrong = true;
    return 0;
}

static bool selected(const struct work *w, const struct test_case *c, struct launch l)
{
    const struct selection *s = w->sel;
    if (s->case_index < 0)
        return true;
    return c->index == s->case_index &&
           (!s->launch.ranks || (s->launch.ranks == l.ranks && s->launch.threads == l.threads));
}

static int correctness(struct work *w, int launch_index, struct launch launch, uint64_t base,
                       int runs, struct err *e)
{
    struct context *b = w->b;
    for (size_t i = 0; i < b->cases.count && !w->over; i++) {
        const struct test_case *c = &b->cases.item[i];
        bool replay = w->sel->case_index >= 0;
        if ((c->kind == CASE_PERFORMANCE && !replay) || !case_applies(b->assignment, w->tier, c) ||
            !selected(w, c, launch))
            continue;
        struct case_result *cr = new_case(w->r, c, launch_index, launch, w->harness->cores.count);
        double seconds = 0;
        if (check_case(w, c, cr, base, replay ? w->sel->repeat : runs, &seconds, e) != 0)
            return -1;
    }
    return 0;
}

static void restart_driver(void *with, struct outcome *o)
{
    struct work *w = with;
    keep_output(w);
    driver_end(&w->driver);
    if (start_driver(w, o) == 0)
        driver_pin(&w->driver, w->spec.cpus, w->spec.cpu_count);
}

/* Timed cases of one launch; the node is ours alone meanwhile. */
static int performance(struct work *w, int launch_index, struct launch launch, uint64_t base,
                       struct err *e)
{
    struct context *b = w->b;
    if (driver_fell_back(&w->driver))
        return 0;
    /* How ranks find each other, and where their buffers lie, is another matter each time. */
    const struct restart again = {restart_driver, w};
    const bool several = launch_kind_has(w->tier->kind, KIND_RANKS);
    w->harness->wait_budget_ms = PATIENCE * b->assignment->performance.budget_ms;
    for (size_t i = 0; i < b->cases.count && !w->over && !w->wrong; i++) {
        const struct test_case *c = &b->cases.item[i];
        if (c->kind != CASE_PERFORMANCE || !case_applies(b->assignment, w->tier, c))
            continue;
        struct case_result *cr = new_case(w->r, c, launch_index, launch, w->harness->cores.count);
        double hint = 0;
        struct outcome o;
        /* Twice: the first call pays for pages and threads and would be a poor first guess. */
        if (check_case(w, c, cr, base, 2, &hint, e) != 0)
            return -1;
        if (cr->verdict != VERDICT_PASS || cr->oversubscribed)
            continue;
        if (harness_time(w->harness, &b->assignment->performance, &w->driver,
                         several ? &again : NULL, c, hint, b->assignment->limits.case_ms, cr,
                         &o) != 0) {
            if (lose(w, &o, cr, e) != 0)
                return -1;
        } else if (cr->verdict != VERDICT_PASS) {
            w->wrong = true;
            w->harness->failed_run = HARNESS_RUN_UNKNOWN;
            if (confirm(w, c, cr, &o) != 0 && lose(w, &o, cr, e) != 0)
                return -1;
        }
    }
    return 0;
}

/* Where this launch runs: as many of the quietest cores as it has workers. */
static void choose_cores(struct work *w, struct launch launch, struct cores *cores)
{
    struct harness *s = w->harness;
    cores_quietest(&s->cores, launch.ranks * launch.threads, cores);
    w->spec.launch = launch;
    w->spec.cpus = cores->id;
    w->spec.cpu_count = cores->count;
    driver_pin(&s->yard, cores->id, 1);
}

static void end_driver(struct work *w)
{
    keep_output(w);
    if (driver_alive(&w->driver))
        driver_end(&w->driver);
}

/* Of the largest size: what its time consisted of. A profiler that fails takes nothing from the
 * result; the driver is of no use afterwards. */
static void profile(struct work *w)
{
    const struct test_case *largest = NULL;
    const struct kernel *k = w->harness->kernel;
    struct outcome o;
    for (size_t i = 0; i < w->b->cases.count; i++) {
        const struct test_case *c = &w->b->cases.item[i];
        if (c->kind == CASE_PERFORMANCE && case_applies(w->b->assignment, w->tier, c) &&
            (!largest || k->operations(c->shape) > k->operations(largest->shape)))
            largest = c;
    }
    if (!launch_kind_has(w->tier->kind, KIND_PROFILER) || !largest || w->wrong || w->over ||
        !driver_alive(&w->driver))
        return;
    if (harness_profile(w->harness, &w->driver, largest, w->r, &o) != 0) {
        w->r->profile.count = 0;
        driver_end(&w->driver);
    }
}

static int run_launch(struct work *w, int launch_index, struct launch launch, int ordinal, int runs,
                      bool timed, struct err *e)
{
    struct cores cores;
    struct timing_lock *q = &w->b->timing_lock;
    uint64_t base = (uint64_t)ordinal * RUNS_PER_LAUNCH, waited = q->waited_ns;
    timing_lock_share(q);
    extend_deadline(w, waited);
    choose_cores(w, launch, &cores);
    int rc = correctness(w, launch_index, launch, base, runs, e);
    if (rc == 0 && timed && !w->wrong && !w->over) {
        waited = q->waited_ns;
        timing_lock_exclusive(q);
        extend_deadline(w, waited);
        if (driver_alive(&w->driver) && launch.threads * launch.ranks == 1)
            choose_cores(w, launch, &cores);
        if (driver_alive(&w->driver))
            driver_pin(&w->driver, cores.id, cores.count);
        rc = performance(w, launch_index, launch, base + RUNS_PER_LAUNCH / 2, e);
        timing_lock_share(q);
        if (rc == 0)
            profile(w);
    }
    end_driver(w);
    return rc;
}

static int run_launches(struct work *w, struct err *e)
{
    const struct correctness *c = &w->b->assignment->correctness;
    unsigned n = tier_launch_count(w->tier);
    bool replay = w->sel->case_index >= 0;
    for (unsigned i = 0; i < n && !w->over; i++) {
        struct launch l = tier_launch(w->tier, i);
        if (run_launch(w, (int)i, l, (int)i, c->repeat, !replay, e) != 0)
            return -1;
    }
    for (unsigned i = 0; i < tier_stress_count(w->b->assignment, w->tier) && !w->over; i++) {
        struct launch l = tier_stress(w->b->assignment, w->tier, i);
        if (run_launch(w, -1, l, (int)(n + i), c->stress_repeat, false, e) != 0)
            return -1;
    }
    return 0;
}

/* --- the unit's verdict --------------------------------------------------------------------- */

static void launch_text(const struct tier *t, struct launch l, char *out, size_t cap)
{
    out[0] = '\0';
    const bool ranks = launch_kind_has(t->kind, KIND_RANKS);
    if (ranks && l.threads > 1)
        snprintf(out, cap, ", %d rank%s x %d threads", l.ranks, l.ranks == 1 ? "" : "s", l.threads);
    else if (ranks)
        snprintf(out, cap, ", %d rank%s", l.ranks, l.ranks == 1 ? "" : "s");
    else if (l.threads > 1)
        snprintf(out, cap, ", %d threads", l.threads);
}

static void conclude(struct work *w)
{
    struct unit_result *r = w->r;
    r->verdict = VERDICT_PASS;
    for (unsigned i = 0; i < r->cases_count; i++)
        r->verdict = verdict_worse(r->verdict, r->cases[i].verdict);
    if (r->verdict == VERDICT_PASS)
        return;
    const struct case_result *cr = unit_result_first_failure(r);
    const struct test_case *c = &w->b->cases.item[cr->case_index];
    bool stopped = w->over && w->failures >= w->b->assignment->limits.failures;
    char shape[SHAPE_TEXT], launch[64], stop[64] = "";
    shape_format(c->shape, shape);
    launch_text(w->tier, cr->launch, launch, sizeof launch);
    if (stopped)
        snprintf(stop, sizeof stop, "; stopped after %d failures of this kind", w->failures);
    free(r->message);
    r->message = xasprintf("case %d (%s, %s values%s): %s%s", c->index, shape,
                           value_dist_name(c->values), launch, cr->message, stop);
}

static struct unit_result *new_result(const struct context *b, const struct unit *u)
{
    struct unit_result *r = unit_result_new(u->id);
    char now[32];
    clock_utc(now, sizeof now);
    free(r->host);
    free(r->job);
    free(r->started);
    r->host = xstrdup(b->host);
    r->job = xstrdup(b->job);
    r->started = xstrdup(now);
    return r;
}

static void set_text(char **field, char **from)
{
    if (!*from)
        return;
    free(*field);
    *field = *from;
    *from = NULL;
}

static bool decide_early(struct unit_result *r, enum verdict v, char *message)
{
    r->verdict = v;
    free(r->message);
    r->message = message;
    return true;
}

static bool all_disturbed(const struct case_result *c)
{
    for (unsigned i = 0; i < c->samples_count; i++)
        if (!c->samples[i].disturbed)
            return false;
    return true;
}

/* A time that cannot be true is a verdict. too_fast: receives, in words, the worst of those that
 * are only doubtful, or "". A record that cannot be read says nothing. */
static void doubt_times(struct work *w, char *too_fast, size_t cap)
{
    const struct context *b = w->b;
    const struct kernel *k = w->harness->kernel;
    struct unit_result *r = w->r;
    struct node_record *node = NULL;
    struct err why = ERR_INIT;
    char *path = rundir_node(b->run, r->host, r->yardstick), what[200], shape[SHAPE_TEXT];
    double worst = 0;
    too_fast[0] = '\0';
    if (node_record_load(path, &node, &why) != 0)
        node = NULL;
    for (unsigned i = 0; i < r->cases_count; i++) {
        struct case_result *c = &r->cases[i];
        const struct shape s = b->cases.item[c->case_index].shape;
        const struct plausibility p = plausible_case(k, node, r, c, s);
        if (p.is == PLAUSIBLE_YES || c->verdict != VERDICT_PASS)
            continue;
        plausible_text(&p, node, c, what, sizeof what);
        shape_format(s, shape);
        if (p.is == PLAUSIBLE_NO) {
            c->verdict = VERDICT_CLOCK_MISMATCH;
            snprintf(c->message, sizeof c->message,
                     "%s: nothing computes that fast, so part of the work was done while the clock "
                     "did not run, or not at all",
                     what);
        } else if (p.rate / p.ceiling > worst) {
            worst = p.rate / p.ceiling;
            snprintf(too_fast, cap, "%s: %s", shape, what);
        }
    }
    node_record_free(node);
    free(path);
}

/* Of a unit that passed: whether it did what its tier is about. */
static void attest(struct work *w, const char *too_fast)
{
    struct unit_result *r = w->r;
    struct attest_evidence e = {.profile = &r->profile,
                                .too_fast = *too_fast ? too_fast : NULL,
                                .options = w->built->options};
    if (r->verdict != VERDICT_PASS || w->sel->case_index >= 0)
        return;
    struct attest_timed *timed = xcalloc(r->cases_count + 1, sizeof *timed);
    for (unsigned i = 0; i < r->cases_count; i++) {
        const struct case_result *c = &r->cases[i];
        const struct test_case *t = &w->b->cases.item[c->case_index];
        if (!c->samples_count)
            continue;
        timed[e.timed_count++] = (struct attest_timed){
            .launch = c->launch,
            .operations = w->harness->kernel->operations(t->shape),
            .cores_used = c->cores_used,
            .busiest = c->busiest,
            .ranks = c->ranks,
            .ranks_count = c->ranks_count,
            .disturbed = all_disturbed(c),
        };
    }
    e.timed = timed;
    if (w->tier->attest & ATTEST_SIMD)
        vectors_find(w->built->library, &e.vectors);
    free(r->evidence);
    r->attested = attest_decide(w->tier->attest, &e, &r->evidence);
    free(timed);
}

/* --- one unit --------------------------------------------------------------------------------- */

static int run_built(struct context *b, struct harness *harness, const struct tier *t,
                     const struct selection *sel, struct unexplained_end *d,
                     const struct build *built, const char *program, const char *dir,
                     struct unit_result *r, struct err *e)
{
    const struct assignment *a = b->assignment;
    struct work w = {.b = b,
                     .harness = harness,
                     .tier = t,
                     .sel = sel,
                     .unexplained = d,
                     .r = r,
                     .built = built};
    char *home = xasprintf("%s/home", dir), *shm = NULL;
    if (b->scratch.shm)
        shm = xasprintf("%s/%s", b->scratch.shm, strrchr(dir, '/') + 1);
    if (fs_mkdirs(home, e) != 0 || (shm && fs_mkdirs(shm, e) != 0)) {
        free(home);
        free(shm);
        return -1;
    }
    w.spec = (struct driver_spec){.kind = t->kind,
                                  .memory = t->memory == MEMORY_MAPPED ? PG_MEMORY_MAPPED
                                                                       : PG_MEMORY_DEVICE,
                                  .program = program,
                                  .launcher = t->launcher,
                                  .library = built->library,
                                  .function = harness->kernel->function,
                                  .scratch = home,
                                  .shm = shm,
                                  .limits = &a->limits,
                                  .sandbox = &b->sandbox};
    w.driver = (struct driver_process)DRIVER_PROCESS_INIT;
    w.deadline = clock_mono_ns() + (uint64_t)a->limits.unit_ms * 1000000;
    r->cores = harness->cores.count;
    w.ran = ~0U;
    int rc = run_launches(&w, e);
    r->protections = protection_throughout((unsigned)r->protections, w.ran);
    if (rc == 0) {
        char too_fast[300];
        doubt_times(&w, too_fast, sizeof too_fast);
        conclude(&w);
        attest(&w, too_fast);
    }
    if (shm)
        fs_remove_tree(shm, NULL);
    free(home);
    free(shm);
    return rc;
}

/* What was built cannot run here: it is skipped, unless it would not even be loaded. */
static int decide_unrun(const struct context *b, const struct tier *t, const char *library,
                        const char *missing, struct unit_result *r, struct err *e)
{
    const struct kernel *k = kernel_find(b->assignment->kernel, b->assignment->type);
    char function[LAUNCH_FUNCTION_MOST] = "";
    bool defined = true;
    if (k)
        launch_function(t->kind, k->function, function);
    if (k && symbols_defined(library, function, &defined, e) != 0)
        return -1;
    if (defined)
        decide_early(r, VERDICT_SKIPPED,
                     xasprintf("it compiles, but cannot run here: %s", missing));
    else
        decide_early(r, VERDICT_BUILD_ERROR,
                     xasprintf("the library does not define the function %s", function));
    return 0;
}

/* Build, and run what was built. 0 with r complete, -1. */
static int build_and_run(struct context *b, const struct unit *u, const struct tier *t,
                         const struct selection *sel, struct unexplained_end *d,
                         const char *program, struct unit_result *r, struct err *e)
{
    struct build built = {0};
    char *dir = xasprintf("%s/unit-%d", b->scratch.dir, u->index);
    char *sources = rundir_sources(b->run, b->plan->submissions[u->submission].id);
    char *missing = build_missing_requirement(t, true);
    timing_lock_share(&b->timing_lock);
    if (t->sweep && !missing) {
        free(r->yardstick);
        r->yardstick = xstrdup(node_context_yardstick(b, t));
        int done = sweep_unit_run(b, u, d, program, dir, r, e);
        fs_remove_tree(dir, NULL);
        free(dir);
        free(sources);
        return done;
    }
    const struct build_job job = {.tier = t,
                                  .limits = &b->assignment->limits,
                                  .sandbox = &b->sandbox,
                                  .sources = sources,
                                  .source = u->source,
                                  .dir = dir};
    int rc = build_tier(&job, &built, e);
    if (rc == 0) {
        r->build_seconds = built.seconds;
        r->protections = (int)built.protections;
        set_text(&r->build_command, &built.command);
        set_text(&r->build_log, &built.log);
        set_text(&r->compiler, &built.compiler);
        set_text(&r->source_hash, &built.source_hash);
    }
    if (rc == 0 && built.killed && unexplained_end_is_retried(d->before)) {
        d->now = true;
        rc = err_system(e,
                        "the compiler was killed, and not by the grader (%s): the node was out of "
                        "memory, or somebody ended it",
                        built.message);
    } else if (rc == 0 && built.verdict != VERDICT_PASS) {
        decide_early(r, built.verdict, built.message);
        built.message = NULL;
    } else if (rc == 0 && missing) {
        rc = decide_unrun(b, t, built.library, missing, r, e);
    } else if (rc == 0) {
        struct harness *harness = node_harness(b, t, sel->case_index < 0, e);
        free(r->yardstick);
        r->yardstick = xstrdup(node_context_yardstick(b, t));
        rc = harness ? run_built(b, harness, t, sel, d, &built, program, dir, r, e) : -1;
    }
    fs_remove_tree(dir, NULL);
    build_free(&built);
    free(missing);
    free(dir);
    free(sources);
    return rc;
}

int unit_run(struct context *b, const struct unit *u, const struct selection *sel,
             struct unexplained_end *d, struct unit_result **out, struct err *e)
{
    const struct tier *t = &b->assignment->tiers[u->tier];
    struct unit_result *r = *out = new_result(b, u);
    uint64_t start = clock_mono_ns();
    char *missing = build_missing_requirement(t, false), *program = driver_program(t->kind);
    int rc = 0;
    if (missing)
        decide_early(r, VERDICT_SKIPPED, missing);
    else if (!fs_exists(program))
        decide_early(r, VERDICT_SKIPPED,
                     xasprintf("this installation has no driver for %s tiers (%s)",
                               launch_kind_name(t->kind), program));
    else if (node_context_scratch(b, e) != 0)
        rc = -1;
    else
        rc = build_and_run(b, u, t, sel, d, program, r, e);
    r->total_seconds = (double)(clock_mono_ns() - start) * 1e-9;
    free(program);
    return rc;
}
