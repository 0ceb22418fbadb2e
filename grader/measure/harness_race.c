#include "measure/harness_race.h"

#include "base/clock.h"
#include "measure/harness_again.h"
#include "model/race.h"

enum { BATCH_FIRST = 4, BATCH_MOST = 64, RUNS_MOST = 500, AGAIN = 7 };

/* The length of a batch, at most. Each batch begins with cold threads. These show other races than
 * warm threads, so there should be many batches. */
#define BATCH_NS UINT64_C(2000000)

/* After this time a case that failed is not run again. */
#define AGAIN_NS UINT64_C(200000000)

static void lay_out(struct harness *h, struct driver_process *d, const struct test_case *c,
                    unsigned reps, struct outcome *o)
{
    if (harness_lay_out(h, c->shape, reps, d->computes, o) == 0)
        driver_case(d, &h->arena, false, o);
}

static unsigned within(double wanted, unsigned most)
{
    if (wanted >= most)
        return most;
    return wanted < 1 ? 1 : (unsigned)wanted;
}

/* For how many problems to make room. A warm run is several times as fast as the cold run that is
 * known so far. */
static unsigned batch_room(const struct harness *h, struct shape shape, double seconds)
{
    const double fit = seconds > 0 ? 8 * (double)BATCH_NS * 1e-9 / seconds : BATCH_MOST;
    const unsigned most = arena_capacity(&h->arena, shape, false);
    return within(fit, most < BATCH_MOST ? most : BATCH_MOST);
}

/* Problems of the next batch, after one that took so long. */
static unsigned next_batch(unsigned reps, double seconds, unsigned room)
{
    const double fit = (double)BATCH_NS * 1e-9 * reps / (seconds > 1e-9 ? seconds : 1e-9);
    return within(fit, 2 * reps < room ? 2 * reps : room);
}

/* Some kernels keep a little memory, or a communicator, after each call. This is no fault with few
 * calls, so it must not become a fault with many. */
static bool too_many(const struct driver_process *d, const struct finding *f)
{
    return f->runs >= RUNS_MOST || d->peak_memory > d->spec.limits->memory_bytes / 4;
}

int harness_race_search(struct harness *h, const struct race_task *task, struct finding *f,
                        struct outcome *o)
{
    const uint64_t until = clock_mono_ns() + (uint64_t)task->ms * 1000000;
    const unsigned room = batch_room(h, task->test_case->shape, f->seconds);
    struct batch b = {.driver = task->driver,
                      .test_case = task->test_case,
                      .reps = room < BATCH_FIRST ? room : BATCH_FIRST};
    const unsigned unread = h->checks.unread; /* each of them takes long */
    lay_out(h, task->driver, task->test_case, room, o);
    while (o->kind == OUTCOME_OK && h->checks.unread == unread &&
           (task->most > 0 ? f->runs < task->most && f->failed_runs < FAILURES_SHOWN
                           : clock_mono_ns() < until && !too_many(task->driver, f))) {
        struct timing t = {0};
        if (task->most > 0 && b.reps > (unsigned)(task->most - f->runs))
            b.reps = (unsigned)(task->most - f->runs);
        b.first_run = task->first_run + (uint64_t)f->runs;
        b.poison = harness_poison(h);
        harness_run_batch(h, &b, f, &t, o);
        b.reps = next_batch(b.reps, t.seconds, room);
    }
    return o->kind == OUTCOME_OK ? 0 : -1;
}

int harness_race_confirm(struct harness *h, struct driver_process *d, const struct test_case *c,
                         bool alone_failed, struct finding *f, struct outcome *o)
{
    const bool known = f->failed_run != RUN_UNKNOWN;
    const struct batch b = {.driver = d,
                            .test_case = c,
                            .first_run = known ? f->failed_run : 0,
                            .reps = 1,
                            .poison = harness_poison(h)};
    struct again a;
    const int rc = harness_again(h, &b, AGAIN, AGAIN_NS, &a, f, o);
    const struct race_evidence e = {.workers = launch_workers(d->spec.launch),
                                    .alone_failed = alone_failed,
                                    .runs = a.runs + known, /* the run that failed */
                                    .wrong = a.wrong + known,
                                    .different_wrongs = a.different};
    if (race_found(&e)) {
        f->cause = CAUSE_RACE;
        finding_describe(f);
    }
    return rc;
}
