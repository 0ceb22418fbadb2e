#include "proctor/stand.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/clock.h"
#include "base/rng.h"
#include "base/strbuf.h"
#include "model/summary.h"

enum {
    BATCH_BYTES = 32 << 20,
    BATCH_MOST = 256,
    OVERHEAD_RUNS = 51,
    PACE_RUNS = 15,
};

/* A sample whose worst thread waited for a core this share of the time says more about the
 * neighbours than about the kernel. */
#define DISTURBED_SHARE 0.02

/* Budgets, of time and of samples, that may be spent on waiting for a calm node. */
#define PATIENCE 3

/* The part of the budget that is spent in any case: short kernels have enough samples in a moment
 * in which the processor's clock happens to be high. */
#define SETTLED 0.25

/* Seconds: a yardstick run of this length needs no repetition. */
#define YARD_LONG 0.03

/* The device's events leave out what it costs to wake the driver and to wait for the device. More
 * than this share of the time, and more than these seconds, is not explained by that. */
#define CLOCKS_APART 0.1
#define CLOCKS_APART_SECONDS 1e-3

int stand_create(struct stand *s, const struct assignment *a, const struct case_list *cases,
                 const char *name, const struct session_spec *yardstick, struct err *e)
{
    *s = (struct stand){
        .assignment = a, .kernel = kernel_find(a->kernel, a->type), .yard_spec = *yardstick};
    if (!s->kernel)
        return err_system(e, "no kernel %s of type %s in this build", a->kernel,
                          type_name(a->type));
    cores_allocated(&s->cores);
    struct shape *shapes = xcalloc(cases->count, sizeof *shapes);
    size_t largest = 1, count = 0;
    for (size_t i = 0; i < cases->count; i++) {
        const struct test_case *c = &cases->item[i];
        if (c->kind == CASE_PERFORMANCE && !case_timed_beside(a, name, c))
            continue;
        size_t bytes = s->kernel->output_bytes(c->shape);
        largest = bytes > largest ? bytes : largest;
        shapes[count++] = c->shape;
    }
    int rc = arena_create(&s->arena, s->kernel, shapes, count, BATCH_BYTES, e);
    free(shapes);
    if (rc != 0)
        return -1;
    s->expected = malloc(largest);
    if (!s->expected) {
        arena_destroy(&s->arena);
        return err_system(e, "out of memory: %zu bytes for one expected matrix", largest);
    }
    struct outcome o;
    session_start(&s->yard, &s->yard_spec, 0, &o);
    if (o.kind != OUTCOME_OK) {
        arena_destroy(&s->arena);
        free(s->expected);
        s->expected = NULL;
        return err_system(e, "the yardstick does not start: %s", o.text);
    }
    return 0;
}

void stand_destroy(struct stand *s)
{
    if (session_alive(&s->yard))
        session_end(&s->yard);
    arena_destroy(&s->arena);
    free(s->expected);
    free(s->pace);
    s->expected = NULL;
    s->pace = NULL;
    s->paces = 0;
}

static uint64_t fresh_poison(void)
{
    uint64_t p;
    /* Any value will do where there is no randomness; it only must not be guessable. */
    if (getrandom(&p, sizeof p, 0) != (ssize_t)sizeof p)
        p = rng_mix64(clock_mono_ns());
    return p | UINT64_C(0x0101010101010101); /* no zero byte: zeroed memory must stand out */
}

/* Compare one output with the right answer and look around it. */
static void judge(const struct stand *s, const struct test_case *c, const void *expected,
                  const void *got, uint64_t poison, struct case_result *r)
{
    struct mismatch m;
    if (s->kernel->compare(c->shape, expected, got, poison, r->launch, &m) == 0 ||
        r->mismatch.present)
        return;
    r->mismatch = m;
    r->verdict = verdict_worse(r->verdict, VERDICT_WRONG_ANSWER);
    snprintf(r->message, sizeof r->message,
             "%s[%d][%d]: expected %lld, got %lld; %llu of %llu elements wrong: %s",
             s->kernel->output_name, m.row, m.col, (long long)m.expected, (long long)m.got,
             (unsigned long long)m.wrong, (unsigned long long)m.total, m.pattern);
}

static void judge_surround(const struct stand *s, uint64_t poison, unsigned reps,
                           struct case_result *r)
{
    long where;
    if (arena_surround_intact(&s->arena, poison, reps, &where))
        return;
    r->verdict = verdict_worse(r->verdict, VERDICT_WROTE_OUT_OF_BOUNDS);
    if (where < 0)
        snprintf(r->message, sizeof r->message, "wrote before the start of %s (%ld bytes)",
                 s->kernel->output_name, -where);
    else
        snprintf(r->message, sizeof r->message, "wrote past the end of %s", s->kernel->output_name);
}

/* Several runs of one case that do not fail alike point to a race. */
static void note_inconsistency(struct case_result *r, int failed, int runs)
{
    if (!failed || failed == runs || runs < 2)
        return;
    size_t n = strlen(r->message);
    snprintf(r->message + n, sizeof r->message - n,
             " (in %d of %d runs: not the same every time, which points to a race)", failed, runs);
}

/* Copy to or from the device, where there is one. Copies to it leave the driver awake for the
 * computing that follows: to continue a halted one takes longer than some kernels. */
static void send_data(struct session *x, unsigned steps, unsigned reps, int64_t limit_ms,
                      struct outcome *o)
{
    struct timing t;
    const struct request q = {.steps = steps | PG_WAKE,
                              .reps = reps,
                              .rounds = 1,
                              .limit_ms = limit_ms,
                              .go_on = !(steps & PG_DOWNLOAD)};
    *o = (struct outcome){0};
    if (session_has_device(x))
        session_run(x, &q, &t, o);
}

/* The whole way of one execution: data to the device, compute, output back. Times the computing. */
static void execute(struct session *x, unsigned reps, int64_t limit_ms, int64_t copy_limit_ms,
                    struct timing *t, struct outcome *o)
{
    const struct request q = {.steps = PG_COMPUTE, .reps = reps, .rounds = 1, .limit_ms = limit_ms};
    send_data(x, PG_POISON | PG_UPLOAD, reps, copy_limit_ms, o);
    if (o->kind == OUTCOME_OK)
        session_run(x, &q, t, o);
    if (o->kind == OUTCOME_OK)
        send_data(x, PG_DOWNLOAD, reps, copy_limit_ms, o);
}

static void yard_failed(struct outcome *o)
{
    char text[sizeof o->text];
    snprintf(text, sizeof text, "the yardstick failed while timing: %.400s", o->text);
    *o = (struct outcome){.kind =
                              o->kind == OUTCOME_STOPPED ? OUTCOME_STOPPED : OUTCOME_NOT_STARTED};
    memcpy(o->text, text, sizeof text);
}

/* What the yardstick makes of problem 0 of the case it has been given; NULL with *o filled. */
static const void *yard_expect(struct stand *s, struct outcome *o)
{
    struct timing t;
    execute(&s->yard, 1, s->assignment->limits.unit_ms, s->assignment->limits.unit_ms, &t, o);
    if (o->kind == OUTCOME_OK)
        return arena_yard_output(&s->arena, 0);
    yard_failed(o);
    return NULL;
}

int stand_check(struct stand *s, struct session *unit, const struct test_case *c,
                uint64_t first_run, int runs, struct case_result *r, double *seconds,
                struct outcome *o)
{
    struct err e = ERR_INIT;
    *o = (struct outcome){0};
    int failed = 0;
    if (arena_layout(&s->arena, c->shape, 1, session_has_device(unit), &e) != 0) {
        o->kind = OUTCOME_NOT_STARTED;
        snprintf(o->text, sizeof o->text, "%.500s", e.text);
        return -1;
    }
    /* Where a device does the work, a host's product of the timed sizes would take minutes; the
     * yardstick's own has been compared with it once. */
    bool by_yard = session_has_device(&s->yard) && c->kind == CASE_PERFORMANCE;
    if (by_yard)
        session_case(&s->yard, &s->arena, true, o);
    if (o->kind != OUTCOME_OK) {
        yard_failed(o);
        return -1;
    }
    session_case(unit, &s->arena, false, o);
    for (int i = 0; i < runs && o->kind == OUTCOME_OK; i++) {
        uint64_t poison = fresh_poison();
        struct timing t = {0};
        const void *in[KERNEL_MAX_INPUTS];
        for (int j = 0; j < s->kernel->inputs; j++)
            in[j] = arena_input(&s->arena, j, 0);
        arena_generate(&s->arena, c, first_run + (uint64_t)i, 1);
        arena_poison(&s->arena, poison, 1);
        execute(unit, 1, s->assignment->limits.case_ms, s->assignment->limits.unit_ms, &t, o);
        if (o->kind != OUTCOME_OK)
            break;
        const void *expected = s->expected;
        if (by_yard)
            expected = yard_expect(s, o);
        else
            s->kernel->expect(c->shape, in, s->expected);
        if (!expected)
            break;
        struct case_result one = {.launch = r->launch};
        judge(s, c, expected, arena_output(&s->arena, 0), poison, &one);
        judge_surround(s, poison, 1, &one);
        if (one.verdict != VERDICT_PASS) {
            failed++;
            if (r->verdict == VERDICT_PASS) {
                r->verdict = one.verdict;
                r->mismatch = one.mismatch;
                memcpy(r->message, one.message, sizeof r->message);
            }
        }
        r->runs++;
        if (seconds)
            *seconds = t.seconds;
    }
    note_inconsistency(r, failed, r->runs);
    return o->kind == OUTCOME_OK ? 0 : -1;
}

/* --- timing --------------------------------------------------------------------------------- */

/* The yardstick computes the problems at hand, which are the right answers; what is timed is then
 * the first of them alone, with warm caches and over a time that the clock resolves well. Only so
 * is it the same measure beside a short kernel and a long one, and in the node's record. */
static int yard_run(struct stand *s, unsigned reps, double beside, double *seconds,
                    struct outcome *o)
{
    int64_t limit_ms = s->assignment->limits.unit_ms;
    double least = (double)s->assignment->performance.min_sample_ms * 1e-3;
    double want = fmin(fmax(beside / 10, least), YARD_LONG);
    struct timing t = {0};
    struct request q = {.steps = PG_COMPUTE, .reps = reps, .rounds = 1, .limit_ms = limit_ms};
    send_data(&s->yard, PG_UPLOAD, reps, limit_ms, o);
    if (o->kind == OUTCOME_OK)
        session_run(&s->yard, &q, &t, o);
    *seconds = t.seconds / reps;
    if (o->kind == OUTCOME_OK && (reps > 1 || *seconds < YARD_LONG)) {
        q.reps = 1;
        q.rounds = (unsigned)(want / fmax(*seconds, 1e-7)) + 1;
        session_run(&s->yard, &q, &t, o);
        *seconds = t.seconds / q.rounds;
    }
    if (o->kind == OUTCOME_OK)
        send_data(&s->yard, PG_DOWNLOAD, reps, limit_ms, o);
    if (o->kind == OUTCOME_OK)
        return 0;
    yard_failed(o);
    return -1;
}

static unsigned choose_reps(const struct stand *s, struct shape shape, double hint)
{
    double want = (double)s->assignment->performance.min_sample_ms * 1e-3;
    unsigned most = arena_capacity(&s->arena, shape);
    if (most > BATCH_MOST)
        most = BATCH_MOST;
    double reps = hint > 0 ? want / hint : 1;
    if (reps >= most)
        return most;
    return reps <= 1 ? 1 : (unsigned)reps + 1;
}

static struct pace *pace_of(struct stand *s, struct shape shape)
{
    for (size_t i = 0; i < s->paces; i++)
        if (shape_equal(s->pace[i].shape, shape))
            return &s->pace[i];
    s->pace = xrealloc_array(s->pace, s->paces + 1, sizeof *s->pace);
    s->pace[s->paces] = (struct pace){shape, (double)NAN, INFINITY};
    return &s->pace[s->paces++];
}

void stand_know_pace(struct stand *s, struct shape shape, double seconds)
{
    struct pace *p = pace_of(s, shape);
    p->recorded = seconds;
    p->seconds = fmin(p->seconds, seconds);
}

/* What was seen beside a sample. */
struct beside {
    double slowest; /* the slower of the yardstick's runs around it */
    double cores, busiest;
};

static struct calm mark_disturbed(const struct performance *p, struct case_result *r,
                                  const struct beside *beside, double pace)
{
    double *above = xcalloc(r->samples_count + 1, sizeof *above);
    for (unsigned i = 0; i < r->samples_count; i++)
        above[i] =
            r->samples[i].waited > DISTURBED_SHARE ? (double)INFINITY : beside[i].slowest / pace;
    struct calm c = summary_mark(r->samples, above, r->samples_count, (unsigned)p->min_samples);
    free(above);
    return c;
}

static void summarise(const struct performance *p, struct case_result *r)
{
    struct summary s = summary_of(r->samples, r->samples_count, r->pace, p->precision);
    r->seconds = s.seconds;
    r->relative = s.relative;
    r->end_to_end = s.end_to_end;
    r->precise = s.precise;
}

static bool enough(const struct performance *p, struct calm calm, const struct case_result *r,
                   uint64_t started)
{
    int n = (int)r->samples_count;
    int64_t spent_ms = (int64_t)((clock_mono_ns() - started) / 1000000);
    bool spent = spent_ms > p->budget_ms;
    if (n == PATIENCE * p->max_samples || (int)calm.samples >= p->max_samples)
        return true;
    /* Somewhat disturbed ones are made do with when there were no better ones to be had. */
    if (spent_ms >= SETTLED * (double)p->budget_ms && (int)calm.samples >= p->min_samples &&
        r->precise && (spent || summary_calmest(calm)))
        return true;
    if (spent_ms > PATIENCE * p->budget_ms)
        return n >= 1;
    return spent && calm.samples >= SUMMARY_FEW;
}

static void judge_all(const struct stand *s, const struct test_case *c, unsigned reps,
                      uint64_t poison, struct case_result *r)
{
    for (unsigned i = 0; i < reps; i++)
        judge(s, c, arena_yard_output(&s->arena, i), arena_output(&s->arena, i), poison, r);
    judge_surround(s, poison, reps, r);
}

/* The same once more with the copies inside the time: what the device is worth to a program. */
static int end_to_end_sample(struct stand *s, struct session *unit, const struct test_case *c,
                             unsigned reps, int64_t limit_ms, struct sample *sample,
                             struct case_result *r, struct outcome *o)
{
    uint64_t poison = fresh_poison();
    struct timing t = {0};
    const struct request q = {.steps = PG_UPLOAD | PG_COMPUTE | PG_DOWNLOAD,
                              .reps = reps,
                              .rounds = 1,
                              .limit_ms = limit_ms};
    arena_poison(&s->arena, poison, reps);
    send_data(unit, PG_POISON, reps, limit_ms, o);
    if (o->kind == OUTCOME_OK)
        session_run(unit, &q, &t, o);
    if (o->kind != OUTCOME_OK)
        return -1;
    judge_all(s, c, reps, poison, r);
    sample->end_to_end = t.seconds / reps;
    return 0;
}

/* One sample of the unit on fresh values, checked against what the yardstick made of them. */
static int unit_sample(struct stand *s, struct session *unit, const struct test_case *c,
                       unsigned reps, int64_t limit_ms, struct sample *sample,
                       struct beside *beside, struct case_result *r, struct outcome *o)
{
    uint64_t poison = fresh_poison();
    struct timing t = {0};
    arena_poison(&s->arena, poison, reps);
    execute(unit, reps, limit_ms * reps, s->assignment->limits.unit_ms, &t, o);
    if (o->kind != OUTCOME_OK)
        return -1;
    judge_all(s, c, reps, poison, r);
    sample->reps = (int)reps;
    sample->seconds = t.seconds / reps;
    sample->waited = t.waited;
    beside->cores = t.cores;
    beside->busiest = t.busiest;
    sample->device = t.device > 0 ? t.device / reps : 0;
    if (!session_has_device(unit) || r->verdict != VERDICT_PASS)
        return 0;
    return end_to_end_sample(s, unit, c, reps, limit_ms * reps, sample, r, o);
}

/* What the device's events tell must be what the clock outside saw: work that is not in the given
 * stream, or a driver that was tampered with, shows as a difference. */
static void compare_clocks(struct case_result *r)
{
    double *apart = xcalloc(r->samples_count + 1, sizeof *apart);
    size_t n = 0;
    for (unsigned i = 0; i < r->samples_count; i++) {
        const struct sample *x = &r->samples[i];
        if (x->device > 0)
            apart[n++] = (x->seconds - x->device) * x->reps;
    }
    double difference = n ? stats_median(apart, n) : 0;
    free(apart);
    double total = r->seconds.median * (n ? r->samples[0].reps : 1);
    if (fabs(difference) <= CLOCKS_APART_SECONDS || fabs(difference) <= CLOCKS_APART * total)
        return;
    r->verdict = VERDICT_CLOCK_MISMATCH;
    snprintf(r->message, sizeof r->message,
             "took %.3g ms by the grader's clock, but %.3g ms by the device's events: %s",
             total * 1e3, (total - difference) * 1e3,
             difference > 0 ? "work outside the given stream" : "the events cannot be true");
}

/* What stays the same from sample to sample. */
struct timed {
    struct stand *stand;
    const struct performance *p;
    const struct test_case *c;
    int64_t limit_ms;
    unsigned reps;
};

static void give_sample(const struct timed *t, struct entrant *e)
{
    struct case_result *r = e->r;
    if (unit_sample(t->stand, e->session, t->c, t->reps, t->limit_ms, &r->samples[r->samples_count],
                    &e->seen[r->samples_count], r, &e->o) != 0 ||
        r->verdict != VERDICT_PASS)
        e->over = true;
}

/* before, after: of the yardstick, around the sample. */
static void take_sample(const struct timed *t, struct entrant *e, double before, double after,
                        const struct pace *pace, uint64_t started, struct calm *calm)
{
    struct case_result *r = e->r;
    r->samples[r->samples_count].yardstick = (before + after) / 2;
    e->seen[r->samples_count++].slowest = fmax(before, after);
    *calm = mark_disturbed(t->p, r, e->seen, pace->seconds);
    summarise(t->p, r);
    e->over = enough(t->p, *calm, r, started);
}

static bool any_left(const struct entrant *e, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!e[i].over)
            return true;
    return false;
}

/* Runs whose values nobody can know beforehand: a kernel that knew the seed, or found it out from
 * values it has seen, could compute timed results while it is not timed. */
static uint64_t unforeseen_run(void)
{
    uint64_t r = 0;
    if (getrandom(&r, sizeof r, 0) != (ssize_t)sizeof r)
        r = clock_mono_ns();
    return r | UINT64_C(1) << 63;
}

static int time_samples(const struct timed *t, struct entrant *e, size_t n, double hint,
                        struct outcome *o)
{
    uint64_t first_run = unforeseen_run();
    struct stand *s = t->stand;
    struct pace *pace = pace_of(s, t->c->shape);
    double beside = hint * t->reps, before, after, fastest = INFINITY;
    unsigned calmest = 0;
    uint64_t started = clock_mono_ns();
    arena_generate(&s->arena, t->c, first_run, t->reps);
    if (yard_run(s, t->reps, beside, &before, o) != 0)
        return -1;
    while (any_left(e, n)) {
        for (size_t i = 0; i < n; i++)
            if (!e[i].over)
                give_sample(t, &e[i]);
        if (!any_left(e, n))
            break;
        first_run += t->reps;
        arena_generate(&s->arena, t->c, first_run, t->reps);
        if (yard_run(s, t->reps, beside, &after, o) != 0)
            return -1;
        fastest = fmin(fastest, fmin(before, after));
        pace->seconds = fmin(pace->seconds, fastest);
        for (size_t i = 0; i < n; i++) {
            struct calm calm = {0, 0};
            if (!e[i].over)
                take_sample(t, &e[i], before, after, pace, started, &calm);
            calmest = calm.samples > calmest ? calm.samples : calmest;
        }
        before = after;
    }
    /* Waited in vain: the next one need not. */
    if (calmest < SUMMARY_FEW && isfinite(fastest))
        pace->seconds = fastest;
    return 0;
}

/* The middle of what was seen in calm samples, if there are any: on a node that is elsewhere,
 * threads look idle. */
static void keep_cores(const struct beside *seen, struct case_result *r)
{
    double *cores = xcalloc(r->samples_count + 1, sizeof *cores);
    double *busiest = xcalloc(r->samples_count + 1, sizeof *busiest);
    size_t n = 0;
    bool calm = false;
    for (unsigned i = 0; i < r->samples_count; i++)
        calm = calm || !r->samples[i].disturbed;
    for (unsigned i = 0; i < r->samples_count; i++) {
        if (isnan(seen[i].cores) || isnan(seen[i].busiest) || (calm && r->samples[i].disturbed))
            continue;
        cores[n] = seen[i].cores;
        busiest[n++] = seen[i].busiest;
    }
    r->cores_used = n ? stats_median(cores, n) : (double)NAN;
    r->busiest = n ? stats_median(busiest, n) : (double)NAN;
    free(cores);
    free(busiest);
}

int stand_time_in_turns(struct stand *s, const struct performance *p, struct entrant *e, size_t n,
                        const struct test_case *c, double hint, int64_t limit_ms, struct outcome *o)
{
    struct err why = ERR_INIT;
    /* The time that may be spent is that of all of them. */
    struct performance together = *p;
    together.budget_ms *= (int64_t)n;
    const struct timed t = {s, &together, c, limit_ms, choose_reps(s, c->shape, hint)};
    size_t most = (size_t)PATIENCE * (size_t)p->max_samples;
    *o = (struct outcome){0};
    if (arena_layout(&s->arena, c->shape, t.reps, session_has_device(e[0].session), &why) != 0) {
        o->kind = OUTCOME_NOT_STARTED;
        snprintf(o->text, sizeof o->text, "%.500s", why.text);
        return -1;
    }
    session_case(&s->yard, &s->arena, true, o);
    if (o->kind != OUTCOME_OK) {
        yard_failed(o);
        return -1;
    }
    for (size_t i = 0; i < n; i++) {
        session_case(e[i].session, &s->arena, false, &e[i].o);
        e[i].over = e[i].o.kind != OUTCOME_OK;
        e[i].r->pace = pace_of(s, c->shape)->recorded;
        e[i].r->samples = xcalloc(most, sizeof *e[i].r->samples);
        e[i].seen = xcalloc(most, sizeof *e[i].seen);
    }
    int rc = time_samples(&t, e, n, hint, o);
    for (size_t i = 0; i < n; i++) {
        if (rc == 0 && e[i].o.kind == OUTCOME_OK && e[i].r->verdict == VERDICT_PASS)
            compare_clocks(e[i].r);
        keep_cores(e[i].seen, e[i].r);
        free(e[i].seen);
        e[i].seen = NULL;
    }
    return rc;
}

/* What each rank has done since this was asked before; into `ranks`, or nowhere. */
static int ask_ranks(struct session *unit, int64_t limit_ms, struct rank_work *ranks,
                     struct outcome *o)
{
    struct timing unused;
    const struct request q = {.steps = PG_RANKS, .rounds = 1, .limit_ms = limit_ms, .ranks = ranks};
    session_run(unit, &q, &unused, o);
    return o->kind == OUTCOME_OK ? 0 : -1;
}

/* What several ranks did in the samples. */
static int keep_ranks(struct session *unit, int64_t limit_ms, struct case_result *r,
                      struct outcome *o)
{
    unsigned n = (unsigned)r->launch.ranks;
    struct rank_work *ranks = xcalloc(n, sizeof *ranks);
    for (unsigned i = 0; i < n; i++)
        ranks[i].compute_seconds = ranks[i].mpi_seconds = (double)NAN;
    if (ask_ranks(unit, limit_ms, ranks, o) != 0) {
        free(ranks);
        return -1;
    }
    r->ranks = ranks;
    r->ranks_count = n;
    return 0;
}

int stand_time(struct stand *s, const struct performance *p, struct session *unit,
               const struct test_case *c, double hint, int64_t limit_ms, struct case_result *r,
               struct outcome *o)
{
    struct entrant one = {.session = unit, .r = r};
    bool ranks = r->launch.ranks > 1;
    if (ranks && ask_ranks(unit, limit_ms, NULL, o) != 0)
        return -1;
    if (stand_time_in_turns(s, p, &one, 1, c, hint, limit_ms, o) != 0)
        return -1;
    if (one.o.kind == OUTCOME_OK)
        return ranks ? keep_ranks(unit, limit_ms, r, o) : 0;
    *o = one.o;
    return -1;
}

int stand_pace(struct stand *s, const struct test_case *c, struct interval *seconds, struct err *e)
{
    struct outcome o = {0};
    double time[PACE_RUNS];
    const void *in[KERNEL_MAX_INPUTS];
    if (arena_layout(&s->arena, c->shape, 1, true, e) != 0)
        return -1;
    session_case(&s->yard, &s->arena, true, &o);
    for (int i = 0; i < PACE_RUNS && o.kind == OUTCOME_OK; i++) {
        arena_generate(&s->arena, c, (uint64_t)i, 1);
        yard_run(s, 1, 0, &time[i], &o);
        if (i > 0 || o.kind != OUTCOME_OK)
            continue;
        for (int j = 0; j < s->kernel->inputs; j++)
            in[j] = arena_input(&s->arena, j, 0);
        s->kernel->expect(c->shape, in, s->expected);
        struct case_result r = {.launch = {1, 1}};
        judge(s, c, s->expected, arena_yard_output(&s->arena, 0), 0, &r);
        if (r.verdict != VERDICT_PASS)
            return err_system(e, "the yardstick is wrong: %s", r.message);
    }
    if (o.kind != OUTCOME_OK)
        return err_system(e, "%s", o.text);
    *seconds = stats_bootstrap_median(time, PACE_RUNS, 0.95, 1);
    return 0;
}

bool stand_answers(struct stand *s)
{
    struct timing t;
    struct outcome o;
    const struct request q = {
        .steps = PG_WAKE, .rounds = 1, .limit_ms = s->assignment->limits.case_ms};
    session_run(&s->yard, &q, &t, &o);
    return o.kind == OUTCOME_OK;
}

char *stand_refused(struct stand *s)
{
    struct session another;
    struct outcome o;
    if (!session_has_device(&s->yard))
        return NULL;
    session_start(&another, &s->yard_spec, 0, &o);
    if (o.kind == OUTCOME_OK)
        session_case(&another, &s->arena, false, &o);
    if (session_alive(&another))
        session_end(&another);
    return o.kind == OUTCOME_OK ? NULL : xstrdup(o.text);
}

int stand_profile(struct stand *s, struct session *unit, const struct test_case *c,
                  struct unit_result *r, struct outcome *o)
{
    struct err e = ERR_INIT;
    struct timing t;
    const struct request q = {.steps = PG_UPLOAD | PG_COMPUTE | PG_DOWNLOAD | PG_PROFILE,
                              .reps = 1,
                              .rounds = 1,
                              .limit_ms = s->assignment->limits.unit_ms,
                              .profile = &r->profile};
    *o = (struct outcome){0};
    if (arena_layout(&s->arena, c->shape, 1, session_has_device(unit), &e) != 0) {
        o->kind = OUTCOME_NOT_STARTED;
        snprintf(o->text, sizeof o->text, "%.500s", e.text);
        return -1;
    }
    r->profile.shape = c->shape;
    session_case(unit, &s->arena, false, o);
    if (o->kind == OUTCOME_OK)
        session_run(unit, &q, &t, o);
    return o->kind == OUTCOME_OK ? 0 : -1;
}

static int by_value(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

double stand_overhead_us(struct stand *s)
{
    double us[OVERHEAD_RUNS];
    struct outcome o;
    const struct request q = {
        .steps = PG_COMPUTE, .rounds = 1, .limit_ms = s->assignment->limits.case_ms};
    for (int i = 0; i < OVERHEAD_RUNS; i++) {
        struct timing t;
        session_run(&s->yard, &q, &t, &o);
        if (o.kind != OUTCOME_OK)
            return 0;
        us[i] = t.seconds * 1e6;
    }
    qsort(us, OVERHEAD_RUNS, sizeof us[0], by_value);
    return us[OVERHEAD_RUNS / 2];
}
