#include "measure/timed_blocks.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/random.h"
#include "base/strbuf.h"
#include "measure/core_probe.h"
#include "measure/timed_run.h"
#include "measure/yardstick.h"

enum { BATCH_MOST = 256 };

/* The node, at the end of one block and the beginning of the next. */
struct moment {
    double yardstick; /* seconds */
    double others;    /* as in struct block */
};

/* The loop over the blocks of one process. */
struct loop {
    const struct block_task *task;
    struct block_series **units;
    size_t n;
    unsigned *first;     /* of each unit: its first block of this process */
    unsigned reps;       /* problems of one run */
    double unit_seconds; /* of the longest run of a unit */
};

bool block_series_right(const struct block_series *s)
{
    return s->outcome.kind == OUTCOME_OK && s->finding->verdict == VERDICT_PASS;
}

static unsigned choose_reps(const struct harness *h, struct shape shape, double seconds)
{
    const double want = (double)h->assignment->performance.min_sample_ms * 1e-3;
    unsigned most = arena_capacity(&h->arena, shape);
    if (most > BATCH_MOST)
        most = BATCH_MOST;
    const double reps = seconds > 0 ? want / seconds : 1;
    if (reps >= most)
        return most;
    return reps <= 1 ? 1 : (unsigned)reps + 1;
}

/* The number of a run, from which its values follow. Nobody can predict it. It is drawn for each
 * timed run: a kernel can find out the number of a run from the values, and if it knew the next
 * number, it could compute the result before it is timed. */
static uint64_t random_run(void)
{
    return random_word() | UINT64_C(1) << 63;
}

static bool any_takes(const struct loop *l)
{
    for (size_t i = 0; i < l->n; i++)
        if (l->units[i]->state == SERIES_TAKES)
            return true;
    return false;
}

/* Lay out the problems in the arena, and tell the drivers where they are. */
static int lay_out(struct loop *l, struct outcome *o)
{
    struct harness *h = l->task->harness;
    if (harness_lay_out(h, l->task->test_case->shape, l->reps, l->task->device, o) != 0)
        return -1;
    driver_case(&h->yardstick, &h->arena, true, o);
    if (o->kind != OUTCOME_OK) {
        harness_own_driver_failed(o);
        return -1;
    }
    for (size_t i = 0; i < l->n; i++) {
        struct block_series *s = l->units[i];
        if (s->state != SERIES_TAKES)
            continue;
        driver_case(s->driver, &h->arena, false, &s->outcome);
        if (s->outcome.kind != OUTCOME_OK)
            s->state = SERIES_OVER;
    }
    return 0;
}

/* Each block uses other pages, if the arena has more of them. Some pages make a kernel slower; if
 * it kept them, all blocks would be slow. */
static int move_pages(struct loop *l, struct outcome *o)
{
    struct harness *h = l->task->harness;
    if (l->task->same_pages || !arena_has_room(&h->arena))
        return 0;
    arena_move(&h->arena);
    return lay_out(l, o);
}

static double probe_others(const struct loop *l)
{
    const struct block_task *t = l->task;
    return core_probe(t->harness->yardstick_spec.supervisor->busy_cores, t->cpus, t->cpu_count,
                      t->core_rate);
}

static int time_yardstick(const struct loop *l, struct moment *m, struct outcome *o)
{
    return yardstick_run(l->task->harness, l->reps, l->unit_seconds, &m->yardstick, o);
}

static int new_values(struct loop *l, struct moment *m, struct outcome *o)
{
    arena_generate(&l->task->harness->arena, l->task->test_case, random_run(), l->reps);
    if (time_yardstick(l, m, o) != 0)
        return -1;
    m->others = probe_others(l);
    return 0;
}

static void take_run(const struct loop *l, struct block_series *s)
{
    if (s->count == s->room) {
        s->room = 2 * s->room + 8;
        s->blocks = xrealloc_array(s->blocks, s->room, sizeof *s->blocks);
    }
    const struct run_cost cost =
        run_overhead_of(l->task->overhead, s->driver, &l->task->harness->arena);
    const struct run_task run = {
        .driver = s->driver,
        .test_case = l->task->test_case,
        .reps = l->reps,
        .limit_ms = harness_batch_limit(l->task->limit_ms, l->reps, s->finding->seconds),
        .cost = &cost};
    if (timed_run_take(l->task->harness, &run, &s->blocks[s->count], s->finding, &s->outcome) !=
            0 ||
        s->finding->verdict != VERDICT_PASS)
        s->state = SERIES_OVER;
}

static void reset_ranks(const struct loop *l, struct block_series *s)
{
    if (s->state == SERIES_TAKES && s->driver->spec.launch.ranks > 1 &&
        timed_run_ask_ranks(s->driver, l->task->limit_ms, NULL, &s->outcome) != 0)
        s->state = SERIES_OVER;
}

/* The first call in a process pays for pages, threads and connections. It is checked, but it is not
 * a block. */
static int warm_up(struct loop *l, struct moment *before, struct outcome *o)
{
    bool any = false;
    for (size_t i = 0; i < l->n; i++) {
        struct block_series *s = l->units[i];
        if (s->state == SERIES_TAKES && s->hint * l->reps <= WARM_UP_MOST) {
            take_run(l, s);
            any = true;
        }
        reset_ranks(l, s);
    }
    return any && any_takes(l) ? new_values(l, before, o) : 0;
}

/* Were the runs just taken too short, all of them? A kernel may be slow in its first calls, from
 * which the number of problems was chosen, and it may do so on purpose. Then the number is chosen
 * again, and the blocks of this process are dropped. The number at least doubles, so this comes to
 * an end. */
static bool choose_more_reps(struct loop *l, const bool *taken)
{
    double slowest = 0;
    for (size_t i = 0; i < l->n; i++) {
        const struct block_series *s = l->units[i];
        if (s->count > l->first[i] && s->state != SERIES_TAKES)
            return false; /* this one has all blocks of this process */
        if (taken[i] && s->state == SERIES_TAKES)
            slowest = fmax(slowest, s->blocks[s->count].unit);
    }
    const unsigned reps = choose_reps(l->task->harness, l->task->test_case->shape, slowest);
    if (slowest <= 0 || reps < 2 * l->reps)
        return false;
    l->reps = reps;
    l->unit_seconds = slowest * reps;
    for (size_t i = 0; i < l->n; i++)
        l->units[i]->count = l->first[i];
    return true;
}

static struct estimate_input input_of(const struct loop *l, size_t unit, const struct moment *now)
{
    const struct block_series *s = l->units[unit];
    return (struct estimate_input){.block = s->blocks,
                                   .count = s->count,
                                   .expected = s->expected,
                                   .precision = l->task->precision,
                                   .budget = l->task->budget,
                                   .trials = l->task->trials,
                                   .waited = s->waited,
                                   .slower = now->yardstick / s->expected,
                                   .others = now->others};
}

/* What is to be done for this unit? */
static enum estimate_step next_step(const struct loop *l, size_t unit, const struct moment *now)
{
    const struct estimate_input input = input_of(l, unit, now);
    return l->units[unit]->count == l->first[unit] ? ESTIMATE_TAKE : estimate_next(&input);
}

/* Who takes a block now? The others wait, or need no more blocks of this process. */
static void decide(struct loop *l, const struct moment *now, bool *takes, bool *waits)
{
    for (size_t i = 0; i < l->n; i++) {
        struct block_series *s = l->units[i];
        takes[i] = waits[i] = false;
        if (s->state != SERIES_TAKES)
            continue;
        switch (next_step(l, i, now)) {
        case ESTIMATE_TAKE:
            takes[i] = true;
            break;
        case ESTIMATE_WAIT:
            waits[i] = true;
            break;
        case ESTIMATE_START:
            s->state = SERIES_WANTS_PROCESS;
            break;
        case ESTIMATE_DONE:
            s->state = SERIES_OVER;
            break;
        }
    }
}

static size_t count_of(const bool *x, size_t n)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        count += x[i];
    return count;
}

/* seconds: of the block. */
static void complete_block(const struct loop *l, struct block_series *s,
                           const struct moment *before, const struct moment *after, double seconds)
{
    struct block *b = &s->blocks[s->count++];
    b->yard[0] = before->yardstick;
    b->yard[1] = after->yardstick;
    b->others = fmax(before->others, after->others);
    b->alone = l->task->alone;
    b->others_alone = l->task->others_alone;
    b->process = l->task->process;
    b->seconds = seconds;
    s->expected = estimate_expected(s->blocks, s->count, s->recorded);
}

/* The blocks of one round: one of each unit that takes one. */
static int take_round(struct loop *l, const bool *takes, struct moment *now, struct outcome *o)
{
    const uint64_t started = clock_mono_ns();
    struct moment after;
    for (size_t i = 0; i < l->n; i++)
        if (takes[i])
            take_run(l, l->units[i]);
    if (!any_takes(l))
        return 0;
    const bool dropped = choose_more_reps(l, takes);
    const int placed = dropped ? lay_out(l, o) : move_pages(l, o);
    if (placed != 0 || new_values(l, &after, o) != 0)
        return -1;
    const double seconds =
        (double)(clock_mono_ns() - started) * 1e-9 / (double)count_of(takes, l->n);
    for (size_t i = 0; i < l->n && !dropped; i++)
        if (takes[i] && block_series_right(l->units[i]))
            complete_block(l, l->units[i], now, &after, seconds);
    *now = after;
    return 0;
}

/* Is the yardstick slow for one of those who wait? */
static bool yardstick_slow(const struct loop *l, const bool *waits, const struct moment *now)
{
    bool slow = false;
    for (size_t i = 0; i < l->n; i++) {
        const struct estimate_input input = input_of(l, i, now);
        slow = slow || (waits[i] && estimate_yardstick_slow(&input));
    }
    return slow;
}

/* Time the node again, because it is slow at the moment. While the yardstick is slow, it is run
 * again without a pause, because an idle core becomes slower, and the other cores do not matter.
 * While another core is slow, all cores rest for a moment (core_probe.h). */
static int wait(struct loop *l, const bool *waits, struct moment *now, struct outcome *o)
{
    const uint64_t started = clock_mono_ns();
    int rc = 0;
    if (yardstick_slow(l, waits, now))
        rc = time_yardstick(l, now, o);
    else
        core_probe_rest(l->task->harness->yardstick_spec.supervisor->busy_cores);
    now->others = yardstick_slow(l, waits, now) ? 1 : probe_others(l);
    for (size_t i = 0; i < l->n; i++)
        if (waits[i])
            l->units[i]->waited += (double)(clock_mono_ns() - started) * 1e-9;
    return rc;
}

/* Add what the ranks did in the blocks of this process. */
static void ask_ranks(const struct loop *l, struct block_series *s)
{
    const unsigned n = (unsigned)s->driver->spec.launch.ranks;
    if (n < 2 || !block_series_right(s))
        return;
    struct rank_work *now = xcalloc(n, sizeof *now);
    if (timed_run_ask_ranks(s->driver, l->task->limit_ms, now, &s->outcome) != 0) {
        s->state = SERIES_OVER;
    } else {
        if (!s->ranks)
            s->ranks = xcalloc(n, sizeof *s->ranks);
        s->ranks_count = n;
        for (unsigned i = 0; i < n; i++)
            rank_work_add(&s->ranks[i], &now[i]);
    }
    free(now);
}

static int take_blocks(struct loop *l, struct outcome *o)
{
    bool *takes = xcalloc(2 * l->n, sizeof *takes), *waits = takes + l->n;
    struct moment now;
    int rc = lay_out(l, o);
    if (rc == 0)
        rc = new_values(l, &now, o);
    if (rc == 0)
        rc = warm_up(l, &now, o);
    while (rc == 0) {
        decide(l, &now, takes, waits);
        if (count_of(takes, l->n))
            rc = take_round(l, takes, &now, o);
        else if (count_of(waits, l->n))
            rc = wait(l, waits, &now, o);
        else
            break;
    }
    busy_cores_rest(l->task->harness->yardstick_spec.supervisor->busy_cores);
    free(takes);
    return rc;
}

int timed_blocks_take(const struct block_task *task, struct block_series **units, size_t n,
                      struct outcome *o)
{
    struct loop l = {.task = task, .units = units, .n = n};
    bool *here = xcalloc(n, sizeof *here);
    size_t wanted = 0;
    double hint = 0;
    l.first = xcalloc(n, sizeof *l.first);
    for (size_t i = 0; i < n; i++) {
        struct block_series *s = units[i];
        here[i] = s->state == SERIES_WANTS_PROCESS;
        l.first[i] = s->count;
        if (!here[i])
            continue;
        s->state = SERIES_TAKES;
        l.reps = s->reps > l.reps ? s->reps : l.reps;
        hint = s->hint;
        wanted++;
    }
    int rc = 0;
    if (wanted) {
        if (!l.reps)
            l.reps = choose_reps(task->harness, task->test_case->shape, hint);
        l.unit_seconds = hint * l.reps;
        rc = take_blocks(&l, o);
    }
    for (size_t i = 0; i < n && rc == 0; i++) {
        if (!here[i])
            continue;
        units[i]->reps = l.reps;
        ask_ranks(&l, units[i]);
    }
    free(here);
    free(l.first);
    return rc;
}
