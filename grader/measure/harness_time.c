/* How a case is timed: samples beside the yardstick, until there are enough calm ones. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/clock.h"
#include "base/strbuf.h"
#include "measure/harness_parts.h"
#include "model/summary.h"
#include "supervise/priority.h"

enum { BATCH_MOST = 256, PACE_RUNS = 15 };

/* A sample whose worst thread waited for a core this share of the time says more about the
 * neighbours than about the kernel. */
#define DISTURBED_SHARE 0.02

/* How many times `max_samples` are taken at most, calm or not. */
#define SAMPLES_MOST 3

/* The part of the budget that is spent in any case: short kernels have enough samples in a moment
 * in which the processor's clock happens to be high. */
#define SETTLED 0.25

/* Drivers that a time is taken from at least, where it is taken from several. */
enum { PROCESSES_LEAST = 3 };

/* Seconds: a yardstick run of this length needs no repetition. */
#define YARD_LONG 0.03

/* The device's events leave out what it costs to wake the driver and to wait for the device. More
 * than this share of the time, and more than these seconds, is not explained by that. */
#define CLOCKS_APART 0.1
#define CLOCKS_APART_SECONDS 1e-3

/* How much longer than the yardstick's a copy back may take without suspicion. */
#define LATE_SHARE 0.05
#define LATE_SECONDS 1e-4

/* The yardstick computes the problems at hand, which are the right answers; what is timed is then
 * the first of them alone, with warm caches and over a time that the clock resolves well. Only so
 * is it the same measure beside a short kernel and a long one, and in the node's record. */
static int yard_run(struct harness *s, unsigned reps, double beside, double *seconds,
                    struct outcome *o)
{
    int64_t limit_ms = s->assignment->limits.unit_ms;
    double least = (double)s->assignment->performance.min_sample_ms * 1e-3;
    double want = fmin(fmax(beside / 10, least), YARD_LONG);
    struct timing t = {0};
    struct request q = {.steps = PG_COMPUTE, .rounds = 1, .limit_ms = limit_ms};
    harness_execute(s, &s->yard, reps, limit_ms, limit_ms, &t, o);
    s->yard_copied = t.copied;
    s->yard_unmask = driver_masks(&s->yard) ? t.unmask : 0;
    *seconds = t.seconds / reps;
    if (o->kind == OUTCOME_OK && (reps > 1 || *seconds < YARD_LONG)) {
        q.reps = 1;
        q.rounds = (unsigned)(want / fmax(*seconds, 1e-7)) + 1;
        driver_run(&s->yard, &q, &t, o);
        *seconds = t.seconds / q.rounds;
    }
    if (o->kind == OUTCOME_OK)
        return 0;
    harness_yard_failed(o);
    return -1;
}

static unsigned choose_reps(const struct harness *s, struct shape shape, double hint)
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

static struct expected_time *expected_time_of(struct harness *s, struct shape shape)
{
    for (size_t i = 0; i < s->yard_expected_count; i++)
        if (shape_equal(s->yard_expected[i].shape, shape))
            return &s->yard_expected[i];
    s->yard_expected =
        xrealloc_array(s->yard_expected, s->yard_expected_count + 1, sizeof *s->yard_expected);
    s->yard_expected[s->yard_expected_count] = (struct expected_time){shape, (double)NAN, INFINITY};
    return &s->yard_expected[s->yard_expected_count++];
}

void harness_expect(struct harness *s, struct shape shape, double seconds)
{
    struct expected_time *p = expected_time_of(s, shape);
    p->recorded = p->seconds = seconds;
}

/* What was seen beside a sample: of the yardstick's runs around it, the slower and the faster. */
struct beside {
    double slowest, fastest;
    double cores, busiest;
    double copied, yard_copied; /* seconds of the copies back from the device; 0: there are none */
};

/* Samples count as calm when the yardstick was about as fast as `reference`; quicker: or faster. */
static struct calm mark_beside(const struct performance *p, struct case_result *r,
                               const struct beside *beside, double reference, bool quicker)
{
    double *apart = xcalloc(r->samples_count + 1, sizeof *apart);
    for (unsigned i = 0; i < r->samples_count; i++) {
        double slower = beside[i].slowest / reference;
        double faster = quicker ? 0 : reference / beside[i].fastest;
        apart[i] = r->samples[i].waited > DISTURBED_SHARE ? INFINITY : fmax(slower, faster);
    }
    struct calm c = summary_mark(r->samples, apart, r->samples_count, (unsigned)p->min_samples);
    free(apart);
    return c;
}

/* Speeds are compared with the baseline, which was timed at a certain pace of the node: what counts
 * is what was timed at that pace, since a higher clock helps some kernels and not others. Where
 * that leaves too little, the node is faster now than it was then; then the fastest pace is the
 * measure. */
static struct calm mark_disturbed(const struct performance *p, struct case_result *r,
                                  const struct beside *beside, double yard_expected)
{
    double fastest = INFINITY;
    for (unsigned i = 0; i < r->samples_count; i++)
        fastest = fmin(fastest, beside[i].fastest);
    struct calm c = mark_beside(p, r, beside, yard_expected, false);
    if ((int)c.samples >= p->min_samples || fastest >= yard_expected)
        return c;
    struct calm now = mark_beside(p, r, beside, fastest, true);
    return now.samples > c.samples ? now : mark_beside(p, r, beside, yard_expected, false);
}

static void summarise(const struct performance *p, struct case_result *r)
{
    struct summary s = summary_of(r->samples, r->samples_count, r->yard_expected, p->precision);
    r->seconds = s.seconds;
    r->relative = s.relative;
    r->end_to_end = s.end_to_end;
    r->precise = s.precise;
}

static int64_t spent_ms_since(uint64_t started)
{
    return (int64_t)((clock_mono_ns() - started) / 1000000);
}

static void judge_all(const struct harness *s, const struct test_case *c, unsigned reps,
                      uint64_t poison, struct case_result *r)
{
    for (unsigned i = 0; i < reps; i++)
        harness_judge(s, c, arena_yard_output(&s->arena, i), arena_output(&s->arena, i), poison, r);
    harness_judge_surround(s, poison, reps, r);
}

/* The same once more with the copies inside the time: what the device is worth to a program. */
static int end_to_end_sample(struct harness *s, struct driver_process *unit,
                             const struct test_case *c, unsigned reps, int64_t limit_ms,
                             struct sample *sample, struct case_result *r, struct outcome *o)
{
    uint64_t poison = harness_poison();
    struct timing t = {0};
    struct request q = {.steps = PG_WAKE | PG_POISON,
                        .reps = reps,
                        .rounds = 1,
                        .limit_ms = limit_ms,
                        .go_on = true};
    arena_poison(&s->arena, poison, reps);
    driver_run(unit, &q, &t, o);
    q.steps = PG_UPLOAD | PG_COMPUTE | PG_DOWNLOAD | (driver_masks(unit) ? PG_UNMASK : 0);
    q.key = s->arena.key;
    q.go_on = false;
    if (o->kind == OUTCOME_OK)
        driver_run(unit, &q, &t, o);
    if (o->kind != OUTCOME_OK)
        return -1;
    judge_all(s, c, reps, poison, r);
    sample->end_to_end = (t.seconds + t.copied) / reps;
    return 0;
}

/* One sample of the unit on fresh values, checked against what the yardstick made of them. */
static int unit_sample(struct harness *s, struct driver_process *unit, const struct test_case *c,
                       unsigned reps, int64_t limit_ms, struct sample *sample,
                       struct beside *beside, struct case_result *r, struct outcome *o)
{
    uint64_t poison = harness_poison();
    struct timing t = {0};
    arena_poison(&s->arena, poison, reps);
    harness_execute(s, unit, reps, limit_ms * reps, s->assignment->limits.unit_ms, &t, o);
    if (o->kind != OUTCOME_OK)
        return -1;
    judge_all(s, c, reps, poison, r);
    sample->reps = (int)reps;
    /* Taking the mask off is not the kernel's doing, and takes as long for the yardstick. */
    const bool alike = driver_masks(unit) && driver_masks(&s->yard);
    sample->seconds = (t.seconds - (alike ? fmin(s->yard_unmask, t.seconds / 2) : 0)) / reps;
    beside->copied = t.copied;
    beside->yard_copied = alike ? s->yard_copied : 0;
    sample->waited = t.waited;
    beside->cores = t.cores;
    beside->busiest = t.busiest;
    sample->device = t.device > 0 ? t.device / reps : 0;
    if (!driver_has_device(unit) || r->verdict != VERDICT_PASS)
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

/* What a device does after its driver has said that it has computed delays the copy back, which
 * takes as long for the yardstick otherwise. No trust in the driver is needed for that. */
static void compare_copies(const struct beside *seen, struct case_result *r)
{
    double *late = xcalloc(r->samples_count + 1, sizeof *late);
    double *usual = xcalloc(r->samples_count + 1, sizeof *usual);
    size_t n = 0;
    for (unsigned i = 0; i < r->samples_count; i++) {
        if (seen[i].yard_copied <= 0 || r->samples[i].disturbed)
            continue;
        late[n] = seen[i].copied - seen[i].yard_copied;
        usual[n++] = seen[i].yard_copied;
    }
    double later = n ? stats_median(late, n) : 0, expected = n ? stats_median(usual, n) : 0;
    free(late);
    free(usual);
    if (later <= LATE_SECONDS + LATE_SHARE * expected)
        return;
    r->verdict = VERDICT_CLOCK_MISMATCH;
    snprintf(r->message, sizeof r->message,
             "copying C back took %.3g ms, where the yardstick's takes %.3g ms: the device was "
             "still computing after the driver had said that it was done",
             (expected + later) * 1e3, expected * 1e3);
}

/* What stays the same from sample to sample of one driver. */
struct timed {
    struct harness *harness;
    const struct performance *p;
    int64_t wait_budget_ms; /* that may be spent beyond the budget */
    const struct test_case *c;
    int64_t limit_ms;
    unsigned reps;
};

/* Of this driver. Half of the patience is waited for the calmest samples; then those will do that
 * are disturbed somewhat. */
static bool enough(const struct timed *t, const struct timed_unit *e, bool calmest,
                   uint64_t started)
{
    const struct performance *p = t->p;
    const struct case_result *r = e->r;
    int n = (int)(r->samples_count - e->first), calm = 0;
    int64_t spent_ms = spent_ms_since(started);
    for (unsigned i = e->first; i < r->samples_count; i++)
        calm += !r->samples[i].disturbed;
    if (n >= SAMPLES_MOST * p->max_samples || calm >= p->max_samples)
        return true;
    if (spent_ms > p->budget_ms + t->wait_budget_ms)
        return n >= 1;
    if (calmest ? spent_ms < SETTLED * (double)p->budget_ms
                : spent_ms <= p->budget_ms + t->wait_budget_ms / 2)
        return false;
    bool precise = r->precise && calm >= p->min_samples;
    return precise || (spent_ms > p->budget_ms && calm >= SUMMARY_FEW);
}

static void give_sample(const struct timed *t, struct timed_unit *e)
{
    struct case_result *r = e->r;
    if (unit_sample(t->harness, e->driver, t->c, t->reps, t->limit_ms,
                    &r->samples[r->samples_count], &e->seen[r->samples_count], r, &e->o) != 0 ||
        r->verdict != VERDICT_PASS)
        e->over = true;
}

/* before, after: of the yardstick, around the sample. */
static void take_sample(const struct timed *t, struct timed_unit *e, double before, double after,
                        const struct expected_time *yard_expected, uint64_t started)
{
    struct case_result *r = e->r;
    r->samples[r->samples_count].yardstick = (before + after) / 2;
    r->samples[r->samples_count].process = e->process;
    e->seen[r->samples_count].slowest = fmax(before, after);
    e->seen[r->samples_count++].fastest = fmin(before, after);
    struct calm calm = mark_disturbed(t->p, r, e->seen, yard_expected->seconds);
    summarise(t->p, r);
    e->over = enough(t, e, summary_calmest(calm), started);
}

static bool any_left(const struct timed_unit *e, size_t n)
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

/* The share of the time that is left which one sample may use up: as many as are still allowed must
 * last for all of it. A short kernel would have spent them in the first slow second. */
static uint64_t share_of_time(const struct timed *t, const struct timed_unit *e, size_t n,
                              uint64_t started)
{
    const uint64_t all = (uint64_t)(t->p->budget_ms + t->wait_budget_ms) * 1000000;
    const uint64_t spent = clock_mono_ns() - started;
    unsigned most = (unsigned)(SAMPLES_MOST * t->p->max_samples), left = 1;
    for (size_t i = 0; i < n; i++) {
        unsigned taken = e[i].r->samples_count - e[i].first;
        if (!e[i].over && most > taken + left)
            left = most - taken;
    }
    return spent < all ? (all - spent) / left : 0;
}

/* While the node is slower than it can be, a sample would say little: look at the yardstick again
 * and again. (Not now and then: a core that idles gets slower.) *before: its last time. */
static int wait_for_calm(const struct timed *t, uint64_t share_ns, double beside,
                         double yard_expected, double *before, struct outcome *o)
{
    const uint64_t until = clock_mono_ns() + share_ns;
    while (*before > SUMMARY_CALM * yard_expected && clock_mono_ns() < until)
        if (yard_run(t->harness, t->reps, beside, before, o) != 0)
            return -1;
    return 0;
}

/* Whether the samples just given are too short, all of them: a kernel was slow in its first calls,
 * by which their number was chosen, and may have been so on purpose. Then it is chosen again, and
 * what was sampled so far is dropped. At least twice as many each time, so there is an end. */
static bool choose_again(struct timed *t, struct timed_unit *e, size_t n, double *beside)
{
    double slowest = 0;
    for (size_t i = 0; i < n; i++)
        if (!e[i].over)
            slowest = fmax(slowest, e[i].r->samples[e[i].r->samples_count].seconds);
    unsigned reps = choose_reps(t->harness, t->c->shape, slowest);
    if (reps < 2 * t->reps)
        return false;
    t->reps = reps;
    *beside = slowest * reps;
    for (size_t i = 0; i < n; i++)
        if (!e[i].over)
            e[i].r->samples_count = e[i].first;
    return true;
}

/* Hand the case to all of them as the arena has it. 0; -1: the yardstick does not take it. */
static int hand_out(const struct timed *t, struct timed_unit *e, size_t n, struct outcome *o)
{
    struct harness *s = t->harness;
    driver_case(&s->yard, &s->arena, true, o);
    if (o->kind != OUTCOME_OK) {
        harness_yard_failed(o);
        return -1;
    }
    for (size_t i = 0; i < n; i++) {
        if (e[i].over)
            continue;
        driver_case(e[i].driver, &s->arena, false, &e[i].o);
        e[i].over = e[i].o.kind != OUTCOME_OK;
    }
    return 0;
}

/* Each sample in other pages, where the arena has any: a kernel that was unlucky with those it got
 * would be so in all samples. On a device it is not the host's pages that matter, and MPI may have
 * to register pages that it has not sent from before. */
static int lay_out(const struct timed *t, struct timed_unit *e, size_t n, bool again,
                   struct outcome *o)
{
    struct harness *s = t->harness;
    struct err why = ERR_INIT;
    bool device = driver_has_device(e[0].driver);
    bool stay = device || s->one_place;
    for (size_t i = 0; i < n; i++)
        stay = stay || e[i].driver->spec.launch.ranks > 1;
    if (again && (stay || !arena_has_room(&s->arena)))
        return 0;
    if (again)
        arena_move(&s->arena);
    if (arena_layout(&s->arena, t->c->shape, t->reps, device, &why) != 0) {
        o->kind = OUTCOME_NOT_STARTED;
        snprintf(o->text, sizeof o->text, "%.500s", why.text);
        return -1;
    }
    return hand_out(t, e, n, o);
}

/* What each rank has done since this was asked before; into `ranks`, or nowhere. */
static int ask_ranks(struct driver_process *unit, int64_t limit_ms, struct rank_work *ranks,
                     struct outcome *o)
{
    struct timing unused;
    const struct request q = {.steps = PG_RANKS, .rounds = 1, .limit_ms = limit_ms, .ranks = ranks};
    driver_run(unit, &q, &unused, o);
    return o->kind == OUTCOME_OK ? 0 : -1;
}

/* A driver's first call pays for pages, threads and connections: it is checked, and not a sample.
 */
static void warm_up(const struct timed *t, struct timed_unit *e)
{
    give_sample(t, e);
    if (!e->over && e->r->launch.ranks > 1 && ask_ranks(e->driver, t->limit_ms, NULL, &e->o) != 0)
        e->over = true;
}

/* Of the drivers that are there now. */
static int time_samples(struct timed *t, struct timed_unit *e, size_t n, double hint,
                        struct interference *w, struct outcome *o)
{
    uint64_t first_run = unforeseen_run();
    struct harness *s = t->harness;
    struct expected_time *yard_expected = expected_time_of(s, t->c->shape);
    double beside = hint * t->reps, before, after;
    uint64_t started = clock_mono_ns();
    if (lay_out(t, e, n, false, o) != 0)
        return -1;
    arena_generate(&s->arena, t->c, first_run, t->reps);
    if (yard_run(s, t->reps, beside, &before, o) != 0)
        return -1;
    if (e[0].process > 0 && !e[0].over) {
        warm_up(t, &e[0]);
        first_run += t->reps;
        arena_generate(&s->arena, t->c, first_run, t->reps);
        if (yard_run(s, t->reps, beside, &before, o) != 0)
            return -1;
    }
    while (any_left(e, n)) {
        uint64_t share = share_of_time(t, e, n, started), round = clock_mono_ns();
        if (wait_for_calm(t, share, beside, yard_expected->seconds, &before, o) != 0)
            return -1;
        for (size_t i = 0; i < n; i++)
            if (!e[i].over)
                give_sample(t, &e[i]);
        if (!any_left(e, n))
            break;
        first_run += t->reps;
        const bool longer = choose_again(t, e, n, &beside);
        if (lay_out(t, e, n, !longer, o) != 0)
            return -1;
        arena_generate(&s->arena, t->c, first_run, t->reps);
        if (yard_run(s, t->reps, beside, &after, o) != 0)
            return -1;
        if (longer) {
            before = after;
            continue;
        }
        interference_note(w, before, after, yard_expected, clock_mono_ns() - round);
        expected_time_update(yard_expected, w, true);
        for (size_t i = 0; i < n; i++)
            if (!e[i].over)
                take_sample(t, &e[i], before, after, yard_expected, started);
        before = after;
    }
    return 0;
}

/* What was spent beyond the budget because the node was restless - not because a kernel is slow. */
static void charge_wait_budget(struct harness *s, int64_t beyond_ms, const struct interference *w)
{
    int64_t restless_ms = (int64_t)(w->restless_ns / 1000000);
    int64_t charge = beyond_ms < restless_ms ? beyond_ms : restless_ms;
    if (charge > 0)
        s->wait_budget_ms = charge < s->wait_budget_ms ? s->wait_budget_ms - charge : 0;
}

/* On a node that is elsewhere threads look idle: where nothing is undisturbed, nothing is known. */
static void keep_cores(const struct beside *seen, struct case_result *r)
{
    double *cores = xcalloc(r->samples_count + 1, sizeof *cores);
    double *busiest = xcalloc(r->samples_count + 1, sizeof *busiest);
    for (unsigned i = 0; i < r->samples_count; i++) {
        cores[i] = seen[i].cores;
        busiest[i] = seen[i].busiest;
    }
    r->cores_used = summary_undisturbed(r->samples, cores, r->samples_count);
    r->busiest = summary_undisturbed(r->samples, busiest, r->samples_count);
    free(cores);
    free(busiest);
}

/* One driver of several: as many calm samples as say what it takes. */
static struct performance one_of_several(const struct performance *p)
{
    struct performance one = *p;
    one.budget_ms /= PROCESSES_LEAST;
    one.max_samples = one.min_samples;
    return one;
}

/* How many samples a case may need room for. */
static unsigned samples_most(const struct performance *p)
{
    int several = PROCESSES_MOST * p->min_samples;
    return (unsigned)(SAMPLES_MOST * (several > p->max_samples ? several : p->max_samples));
}

static bool still_right(const struct timed_unit *e)
{
    return e->o.kind == OUTCOME_OK && e->r->verdict == VERDICT_PASS;
}

/* Samples of the next driver. */
static int time_next_driver(struct timed *t, struct timed_unit *e, double hint,
                            struct interference *w, struct outcome *o)
{
    e->first = e->r->samples_count;
    e->process++;
    e->again->start(e->again->with, &e->o);
    e->over = e->o.kind != OUTCOME_OK;
    return e->over ? 0 : time_samples(t, e, 1, hint, w, o);
}

/* What a driver was given when it started - where its buffers lie, how its ranks reach each other
 * - is the same in all of its samples. So several are started where that makes a difference: a few
 * at least, then until they say precisely enough what to expect, or the budget is spent. Where a
 * few would take too long it is this one alone. */
static int time_driver_by_driver(struct timed *all, struct timed_unit *e, double hint,
                                 struct interference *w, struct outcome *o)
{
    const struct performance one = one_of_several(all->p);
    const uint64_t started = clock_mono_ns();
    struct timed t = *all;
    t.p = &one;
    t.wait_budget_ms /= PROCESSES_LEAST;
    if (time_samples(&t, e, 1, hint, w, o) != 0)
        return -1;
    int64_t spent_ms = spent_ms_since(started), restless_ms = (int64_t)(w->restless_ns / 1000000);
    if (PROCESSES_LEAST * (spent_ms - restless_ms) > 2 * all->p->budget_ms) {
        struct performance rest = *all->p;
        rest.budget_ms -= spent_ms;
        t.p = &rest;
        e->over = !still_right(e) || rest.budget_ms <= 0;
        return e->over ? 0 : time_samples(&t, e, 1, hint, w, o);
    }
    while (still_right(e) && (e->process + 1 < PROCESSES_LEAST ||
                              (e->process + 1 < PROCESSES_MOST && !e->r->precise &&
                               spent_ms_since(started) < all->p->budget_ms)))
        if (time_next_driver(&t, e, hint, w, o) != 0)
            return -1;
    return 0;
}

int harness_time_in_turns(struct harness *s, const struct performance *p, struct timed_unit *e,
                          size_t n, const struct test_case *c, double hint, int64_t limit_ms,
                          struct outcome *o)
{
    /* The time that may be spent is that of all of them. */
    struct performance together = *p;
    together.budget_ms *= (int64_t)n;
    struct timed t = {.harness = s,
                      .p = &together,
                      .wait_budget_ms = s->wait_budget_ms,
                      .c = c,
                      .limit_ms = limit_ms,
                      .reps = choose_reps(s, c->shape, hint)};
    const size_t most = samples_most(p);
    *o = (struct outcome){0};
    for (size_t i = 0; i < n; i++) {
        e[i].r->yard_expected = expected_time_of(s, c->shape)->recorded;
        e[i].r->samples = xcalloc(most, sizeof *e[i].r->samples);
        e[i].seen = xcalloc(most, sizeof *e[i].seen);
    }
    if (s->yard.core >= 0)
        cores_settle(s->yard.core);
    priority_set(PRIORITY_TIMED);
    const uint64_t started = clock_mono_ns();
    struct interference w = INTERFERENCE_INIT;
    int rc = n == 1 && e->again ? time_driver_by_driver(&t, e, hint, &w, o)
                                : time_samples(&t, e, n, hint, &w, o);
    charge_wait_budget(s, spent_ms_since(started) - together.budget_ms, &w);
    expected_time_update(expected_time_of(s, c->shape), &w, s->wait_budget_ms > 0);
    cores_leave();
    priority_set(PRIORITY_USUAL);
    for (size_t i = 0; i < n; i++) {
        if (rc == 0 && still_right(&e[i]))
            compare_clocks(e[i].r);
        if (rc == 0 && still_right(&e[i]))
            compare_copies(e[i].seen, e[i].r);
        keep_cores(e[i].seen, e[i].r);
        free(e[i].seen);
        e[i].seen = NULL;
    }
    return rc;
}

/* What several ranks did in the samples. */
static int keep_ranks(struct driver_process *unit, int64_t limit_ms, struct case_result *r,
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

int harness_time(struct harness *s, const struct performance *p, struct driver_process *unit,
                 const struct restart *again, const struct test_case *c, double hint,
                 int64_t limit_ms, struct case_result *r, struct outcome *o)
{
    struct timed_unit one = {.driver = unit, .r = r, .again = again};
    bool ranks = r->launch.ranks > 1;
    if (ranks && ask_ranks(unit, limit_ms, NULL, o) != 0)
        return -1;
    if (harness_time_in_turns(s, p, &one, 1, c, hint, limit_ms, o) != 0)
        return -1;
    if (one.o.kind == OUTCOME_OK)
        return ranks ? keep_ranks(unit, limit_ms, r, o) : 0;
    *o = one.o;
    return -1;
}

int harness_time_yardstick(struct harness *s, const struct test_case *c, struct interval *seconds,
                           struct err *e)
{
    struct outcome o = {0};
    double time[PACE_RUNS];
    const void *in[KERNEL_MAX_INPUTS];
    if (arena_layout(&s->arena, c->shape, 1, true, e) != 0)
        return -1;
    driver_case(&s->yard, &s->arena, true, &o);
    for (int i = 0; i < PACE_RUNS && o.kind == OUTCOME_OK; i++) {
        arena_generate(&s->arena, c, (uint64_t)i, 1);
        for (int j = 0; j < s->kernel->inputs; j++)
            in[j] = arena_input(&s->arena, j, 0);
        if (i == 0) /* as long as the inputs are not masked */
            s->kernel->expect(c->shape, in, s->expected);
        yard_run(s, 1, 0, &time[i], &o);
        if (i > 0 || o.kind != OUTCOME_OK)
            continue;
        struct case_result r = {.launch = {1, 1}};
        harness_judge(s, c, s->expected, arena_yard_output(&s->arena, 0), 0, &r);
        if (r.verdict != VERDICT_PASS)
            return err_system(e, "the yardstick is wrong: %s", r.message);
    }
    if (o.kind != OUTCOME_OK)
        return err_system(e, "%s", o.text);
    *seconds = stats_bootstrap_median(time, PACE_RUNS, 0.95, 1);
    return 0;
}
