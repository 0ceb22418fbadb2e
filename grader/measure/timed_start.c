#include "measure/timed_start.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/random.h"
#include "base/strbuf.h"
#include "measure/timed_run.h"
#include "measure/yardstick.h"
#include "model/matrix_pool.h"

void series_free(struct series *s)
{
    free(s->sample);
    free(s->ranks);
    *s = (struct series){0};
}

static bool is_right(const struct series *s)
{
    return s->outcome.kind == OUTCOME_OK && s->finding.verdict == VERDICT_PASS;
}

/* A run may be shorter than asked by this share, so that not each faster run asks for another
 * number of problems. */
#define SHORTER 0.2

/* How many problems a run must have so that the clock can measure it well. seconds: of a problem in
 * a run of so many. */
static unsigned choose_reps(const struct start_task *t, struct shape shape, unsigned reps,
                            double seconds)
{
    const struct harness *h = t->harness;
    const double want = (double)h->assignment->performance.min_sample_ms * 1e-3;
    unsigned most = arena_capacity(&h->arena, shape, t->driver->computes == ON_DEVICE);
    if (most > RUN_PROBLEMS_MOST)
        most = RUN_PROBLEMS_MOST;
    if (!(seconds > 0) || seconds * reps >= (1 - SHORTER) * want)
        return reps;
    return want / seconds >= most ? most : (unsigned)(want / seconds) + 1;
}

/* The number of a run, from which its values follow. Nobody can predict it. It is drawn for each
 * run: a kernel can find out the number of a run from the values, and if it knew the next number,
 * it could compute the result before it is timed. */
static uint64_t random_run(void)
{
    return random_word() | UINT64_C(1) << 63;
}

/* Lay out the problems in the arena, and tell the drivers where they are. again: after others. */
static int lay_out(const struct start_task *t, struct series *s, bool again, struct outcome *o)
{
    struct harness *h = t->harness;
    if (harness_lay_out(h, s->test_case->shape, s->reps, t->driver->computes, o) != 0)
        return -1;
    driver_case(&h->yardstick, &h->arena, true, o);
    if (o->kind != OUTCOME_OK) {
        harness_own_driver_failed(o);
        return -1;
    }
    (again ? driver_move : driver_case)(t->driver, &h->arena, false, &s->outcome);
    return 0;
}

/* Each run uses other pages, if the arena has more of them. Some pages make a kernel slower; if it
 * kept them, all runs would be slow. */
static int move_pages(const struct start_task *t, struct series *s, struct outcome *o)
{
    if (t->same_pages || !arena_has_room(&t->harness->arena))
        return 0;
    arena_move(&t->harness->arena);
    return lay_out(t, s, true, o);
}

/* One run of the yardstick and one of the unit, on new values. -1: trouble with the yardstick. */
static int take_run(const struct start_task *t, struct series *s, struct sample *sample,
                    struct outcome *o)
{
    struct harness *h = t->harness;
    double yardstick;
    double spread[KERNEL_MAX_OUTPUTS];
    if (harness_generate(h, s->test_case, random_run(), s->reps, o) != 0 ||
        harness_typical_spread(h, s->test_case, spread, o) != 0 ||
        yardstick_run(h, s->reps, &yardstick, o) != 0)
        return -1;
    const struct run_cost cost = run_overhead_of(t->overhead, t->driver, &h->arena, s->reps);
    const struct run_task run = {.driver = t->driver,
                                 .test_case = s->test_case,
                                 .reps = s->reps,
                                 .least_spread = spread,
                                 .limit_ms =
                                     harness_batch_limit(t->limit_ms, s->reps, s->finding.seconds),
                                 .cost = &cost};
    if (timed_run_take(h, &run, sample, &s->finding, &s->outcome) == 0)
        s->finding.seconds = sample->unit;
    sample->start = s->start;
    sample->alone = s->alone;
    sample->other = s->other;
    sample->yardstick = yardstick;
    return 0;
}

static void keep_sample(struct series *s, const struct sample *sample)
{
    if (s->count == s->room) {
        s->room = 2 * s->room + ESTIMATE_RUNS;
        s->sample = xrealloc_array(s->sample, s->room, sizeof *s->sample);
    }
    s->sample[s->count++] = *sample;
}

static void reset_ranks(const struct start_task *t, struct series *s)
{
    if (is_right(s) && t->driver->spec.launch.ranks > 1)
        timed_run_ask_ranks(t->driver, t->limit_ms, NULL, &s->outcome);
}

/* Add what the ranks did in the runs of this start. */
static void ask_ranks(const struct start_task *t, struct series *s)
{
    const unsigned n = (unsigned)t->driver->spec.launch.ranks;
    if (n < 2 || !is_right(s))
        return;
    OWNED struct rank_work *now = xcalloc(n, sizeof *now);
    if (timed_run_ask_ranks(t->driver, t->limit_ms, now, &s->outcome) == 0) {
        if (!s->ranks)
            s->ranks = xcalloc(n, sizeof *s->ranks);
        s->ranks_count = n;
        for (unsigned i = 0; i < n; i++)
            rank_work_add(&s->ranks[i], &now[i]);
    }
}

/* The first run of a process pays for pages, threads, connections and handles of libraries. It is
 * checked, but does not count. Where it takes more than a second, one more run in each start would
 * cost much: it counts, unless the unit's first start has shown that the next run is faster. */
static bool first_counts(const struct series *s, double seconds)
{
    return seconds > ESTIMATE_LONG && !s->slow_first;
}

/* If a run turns out to be too short for the clock, those that follow have more problems, and the
 * shorter ones of this start do not count: a kernel may be slow in its first calls, by which the
 * number was chosen, and it may be so on purpose. The number grows by a quarter, so this comes to
 * an end. */
static int take_runs(const struct start_task *t, struct series *s, struct outcome *o)
{
    const unsigned before = s->count;
    unsigned wanted = ESTIMATE_RUNS;
    double first = 0; /* seconds of the first run, for a problem */
    bool warm = false;
    for (int rc = lay_out(t, s, false, o); is_right(s) && s->count - before < wanted;
         rc = move_pages(t, s, o)) {
        struct sample sample;
        const uint64_t began = clock_mono_ns();
        if (rc != 0 || !is_right(s))
            return rc;
        if (take_run(t, s, &sample, o) != 0)
            return -1;
        if (!is_right(s))
            return 0;
        if (first == 0)
            first = sample.unit;
        s->slow_first = s->slow_first || first > (1 + ESTIMATE_GATE) * sample.unit;
        const unsigned reps = choose_reps(t, s->test_case->shape, s->reps, sample.unit);
        if (reps > s->reps) {
            s->reps = reps;
            s->count = before;
            if (lay_out(t, s, true, o) != 0)
                return -1;
        } else if (!warm && !first_counts(s, sample.unit * s->reps)) {
            warm = true;
            reset_ranks(t, s);
        } else {
            wanted = estimate_runs(s->budget, (double)(clock_mono_ns() - began) * 1e-9);
            if (before == 0 && !warm && wanted < 2)
                wanted = 2; /* is the next run faster? */
            keep_sample(s, &sample);
        }
    }
    return 0;
}

int timed_start_take(const struct start_task *task, struct series *s, struct outcome *o)
{
    *o = (struct outcome){0};
    if (!s->reps)
        s->reps = s->count ? (unsigned)s->sample[s->count - 1].reps : 1;
    if (take_runs(task, s, o) != 0)
        return -1;
    ask_ranks(task, s);
    return 0;
}
