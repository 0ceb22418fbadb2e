#include "measure/timed_run.h"

#include "base/random.h"
#include "measure/output_sample.h"

/* -1 with *o: the exercise fails. */
static int judge_all(struct harness *h, const struct run_task *task, unsigned reps, uint64_t poison,
                     struct finding *f, struct outcome *o)
{
    const struct judgement j = {.test_case = task->test_case,
                                .launch = task->driver->spec.launch,
                                .poison = poison,
                                .least_spread = task->least_spread};
    for (unsigned i = 0; i < reps && o->kind == OUTCOME_OK; i++)
        harness_judge(h, &j, i, arena_yard_output(&h->arena, i), f, o);
    harness_judge_surround(h, poison, reps, f);
    return o->kind == OUTCOME_OK ? 0 : -1;
}

/* The same once more with the copies inside the time: this is what a program that uses the device
 * has to wait for. Each problem has inputs of its own. */
static int end_to_end(struct harness *h, const struct run_task *task, struct sample *s,
                      struct finding *f, struct outcome *o)
{
    struct driver_process *d = task->driver;
    const uint64_t poison = harness_poison(h);
    const unsigned reps = h->arena.sets;
    struct timing t = {0};
    struct request q = {.steps = PG_WAKE | PG_POISON,
                        .reps = reps,
                        .rounds = 1,
                        .limit_ms = task->limit_ms,
                        .go_on = true};
    arena_poison(&h->arena, poison, reps);
    driver_run(d, &q, &t, o);
    q.steps = PG_UPLOAD | PG_COMPUTE | PG_DOWNLOAD | PG_UNMASK;
    q.key = h->arena.key;
    q.sets = h->arena.sets;
    q.pairing = h->arena.pairing;
    q.go_on = false;
    if (o->kind == OUTCOME_OK)
        driver_run(d, &q, &t, o);
    if (o->kind != OUTCOME_OK)
        return -1;
    if (judge_all(h, task, reps, poison, f, o) != 0)
        return -1;
    s->end_to_end = (run_whole_seconds(task->cost, t.seconds) + t.copied) / reps;
    return 0;
}

int timed_run_take(struct harness *h, const struct run_task *task, struct sample *s,
                   struct finding *f, struct outcome *o)
{
    const uint64_t poison = harness_poison(h);
    const struct execution x = {task->reps, task->limit_ms, h->assignment->limits.unit_ms};
    const bool mirrored = task->driver->computes == ON_DEVICE;
    struct output_sample sample;
    struct timing t = {0};
    arena_poison(&h->arena, poison, task->reps);
    harness_execute(h, task->driver, &x, &t, o);
    if (o->kind != OUTCOME_OK)
        return -1;
    if (mirrored)
        output_sample_take(&sample, &h->arena, task->reps, random_word());
    if (judge_all(h, task, task->reps, poison, f, o) != 0)
        return -1;
    if (mirrored && !output_sample_same(&sample, &h->arena))
        harness_judge_late(h, LATE_AFTER_DONE, f);
    if (t.unordered)
        harness_judge_late(h, LATE_IN_STREAM, f);
    const double late = run_late(task->cost, t.copied, t.unmasked),
                 kernel = run_kernel_seconds(task->cost, t.seconds);
    *s = (struct sample){.unit = (kernel + late) / task->reps,
                         .reps = (int)task->reps,
                         .cores = t.cores,
                         .busiest = t.busiest,
                         .device = t.device > 0 ? t.device / task->reps : 0};
    if (!mirrored || f->verdict != VERDICT_PASS)
        return 0;
    return end_to_end(h, task, s, f, o);
}

int timed_run_ask_ranks(struct driver_process *d, int64_t limit_ms, struct rank_work *ranks,
                        struct outcome *o)
{
    struct timing t;
    const struct request q = {.steps = PG_RANKS, .rounds = 1, .limit_ms = limit_ms, .ranks = ranks};
    driver_run(d, &q, &t, o);
    return o->kind == OUTCOME_OK ? 0 : -1;
}
