#include "measure/timing_loop.h"

#include <math.h>
#include <sys/random.h>

#include "base/clock.h"
#include "measure/timing_sample.h"
#include "measure/yardstick.h"

enum { BATCH_MOST = 256 };

unsigned timing_loop_reps(const struct harness *h, struct shape shape, double seconds)
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

/* Numbers of values that nobody can predict. A kernel that knew the seed, or found it out from the
 * values it has seen, could compute the timed results before they are timed. */
static uint64_t random_run(void)
{
    uint64_t r = 0;
    if (getrandom(&r, sizeof r, 0) != (ssize_t)sizeof r)
        r = clock_mono_ns();
    return r | UINT64_C(1) << 63;
}

static bool any_left(const struct loop_unit *units, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!units[i].over)
            return true;
    return false;
}

/* Give the case in the arena to all drivers. -1: the yardstick does not take it. */
static int hand_out(struct harness *h, struct loop_unit *units, size_t n, struct outcome *o)
{
    driver_case(&h->yardstick, &h->arena, true, o);
    if (o->kind != OUTCOME_OK) {
        harness_yardstick_failed(o);
        return -1;
    }
    for (size_t i = 0; i < n; i++) {
        if (units[i].over)
            continue;
        driver_case(units[i].driver, &h->arena, false, &units[i].outcome);
        units[i].over = units[i].outcome.kind != OUTCOME_OK;
    }
    return 0;
}

static int lay_out(const struct loop_task *task, struct loop_unit *units, size_t n,
                   struct outcome *o)
{
    struct harness *h = task->harness;
    if (harness_lay_out(h, task->test_case->shape, task->reps, driver_has_device(units[0].driver),
                        o) != 0)
        return -1;
    return hand_out(h, units, n, o);
}

/* Each sample uses other pages, if the arena has more of them. Some pages make a kernel slower; if
 * it kept them, all samples would be slow. Devices stay on the same pages, because the host's pages
 * do not matter there. Ranks stay too, because MPI may have to register pages that it has not sent
 * from before. */
static int move_pages(const struct loop_task *task, struct loop_unit *units, size_t n,
                      struct outcome *o)
{
    struct harness *h = task->harness;
    bool stay = task->same_pages || driver_has_device(units[0].driver);
    for (size_t i = 0; i < n; i++)
        stay = stay || units[i].driver->spec.launch.ranks > 1;
    if (stay || !arena_has_room(&h->arena))
        return 0;
    arena_move(&h->arena);
    return lay_out(task, units, n, o);
}

/* New values, and the yardstick's run on them. *unit_seconds: of the units' samples. */
static int run_yardstick(const struct loop_task *task, uint64_t *next_run, double unit_seconds,
                         struct yardstick_time *t, struct outcome *o)
{
    arena_generate(&task->harness->arena, task->test_case, *next_run, task->reps);
    *next_run += task->reps;
    return yardstick_run(task->harness, task->reps, unit_seconds, t, o);
}

/* A sample now would say little while the node is disturbed, so run the yardstick until it is fast
 * again. There are no pauses in between, because an idle core becomes slower. */
static int wait_until_undisturbed(const struct loop_task *task, uint64_t most_ns,
                                  double unit_seconds, struct yardstick_time *before,
                                  struct outcome *o)
{
    struct harness *h = task->harness;
    const struct expected_time *x = expected_times_get(&h->expected_times, task->test_case->shape);
    const uint64_t until = clock_mono_ns() + most_ns;
    while (yardstick_disturbed(before->seconds, x) && clock_mono_ns() < until)
        if (yardstick_run(h, task->reps, unit_seconds, before, o) != 0)
            return -1;
    return 0;
}

static void take_sample(const struct loop_task *task, const struct yardstick_time *before,
                        struct loop_unit *u)
{
    const int64_t limit_ms = harness_batch_limit(task->limit_ms, task->reps, u->finding->seconds);
    const struct sample_task sample = {.driver = u->driver,
                                       .test_case = task->test_case,
                                       .reps = task->reps,
                                       .limit_ms = limit_ms,
                                       .yardstick = before};
    if (timing_sample_take(task->harness, &sample, &u->blocks[u->count], u->finding, &u->outcome) !=
            0 ||
        u->finding->verdict != VERDICT_PASS)
        u->over = true;
}

/* The first call in a driver pays for pages, threads and connections. It is checked, but it is not
 * a sample. */
static void warm_up(const struct loop_task *task, const struct yardstick_time *before,
                    struct loop_unit *u)
{
    take_sample(task, before, u);
    if (!u->over && u->driver->spec.launch.ranks > 1 &&
        timing_ask_ranks(u->driver, task->limit_ms, NULL, &u->outcome) != 0)
        u->over = true;
}

/* Were the samples just taken too short, all of them? A kernel may be slow in its first calls, from
 * which the number of problems was chosen, and it may do so on purpose. Then the number is chosen
 * again, and the blocks so far are dropped. The number at least doubles, so this comes to an end.
 */
static bool choose_more_reps(struct loop_task *task, struct loop_unit *units, size_t n,
                             double *unit_seconds)
{
    double slowest = 0;
    for (size_t i = 0; i < n; i++)
        if (!units[i].over)
            slowest = fmax(slowest, units[i].blocks[units[i].count].sample.seconds);
    const unsigned reps = timing_loop_reps(task->harness, task->test_case->shape, slowest);
    if (reps < 2 * task->reps)
        return false;
    task->reps = reps;
    *unit_seconds = slowest * reps;
    for (size_t i = 0; i < n; i++)
        if (!units[i].over)
            units[i].count = units[i].first;
    return true;
}

/* The second run of the yardstick completes the block of the sample just taken. */
static void complete_block(struct loop_unit *u, double before, double after)
{
    struct block *b = &u->blocks[u->count++];
    b->sample.yardstick = (before + after) / 2;
    b->sample.process = u->process;
    b->slower = fmax(before, after);
    b->faster = fmin(before, after);
}

static unsigned fewest_blocks(const struct loop_unit *units, size_t n)
{
    unsigned fewest = UINT32_MAX;
    for (size_t i = 0; i < n; i++)
        if (!units[i].over && units[i].count - units[i].first < fewest)
            fewest = units[i].count - units[i].first;
    return fewest;
}

static int begin(const struct loop_task *task, struct loop_unit *units, size_t n,
                 uint64_t *next_run, struct yardstick_time *before, struct outcome *o)
{
    const double unit_seconds = task->hint * task->reps;
    if (lay_out(task, units, n, o) != 0 ||
        run_yardstick(task, next_run, unit_seconds, before, o) != 0)
        return -1;
    if (units[0].process == 0 || units[0].over)
        return 0;
    warm_up(task, before, &units[0]);
    return run_yardstick(task, next_run, unit_seconds, before, o);
}

int timing_loop_run(struct loop_task *task, const struct series_plan *plan, struct loop_unit *units,
                    size_t n, struct interference *seen, struct outcome *o)
{
    struct expected_time *expected =
        expected_times_get(&task->harness->expected_times, task->test_case->shape);
    uint64_t next_run = random_run();
    struct yardstick_time before, after;
    double unit_seconds = task->hint * task->reps;
    const uint64_t started = clock_mono_ns();
    if (begin(task, units, n, &next_run, &before, o) != 0)
        return -1;
    while (any_left(units, n)) {
        const uint64_t round = clock_mono_ns();
        const uint64_t wait_ns = series_wait_ns(plan, fewest_blocks(units, n), round - started);
        if (wait_until_undisturbed(task, wait_ns, unit_seconds, &before, o) != 0)
            return -1;
        for (size_t i = 0; i < n; i++)
            if (!units[i].over)
                take_sample(task, &before, &units[i]);
        if (!any_left(units, n))
            break;
        const bool dropped = choose_more_reps(task, units, n, &unit_seconds);
        const int placed = dropped ? lay_out(task, units, n, o) : move_pages(task, units, n, o);
        if (placed != 0 || run_yardstick(task, &next_run, unit_seconds, &after, o) != 0)
            return -1;
        if (!dropped) {
            interference_note(seen, before.seconds, after.seconds, expected,
                              clock_mono_ns() - round);
            expected_time_update(expected, seen, true);
            const int64_t spent_ms = (int64_t)((clock_mono_ns() - started) / 1000000);
            for (size_t i = 0; i < n; i++) {
                struct loop_unit *u = &units[i];
                if (u->over)
                    continue;
                complete_block(u, before.seconds, after.seconds);
                u->estimate =
                    blocks_estimate(u->blocks, u->count, u->first, &plan->performance, expected);
                u->over = series_complete(plan, &u->estimate, spent_ms);
            }
        }
        before = after;
    }
    return 0;
}
