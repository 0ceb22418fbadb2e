/*
 * Looking for races. One run at a time rarely shows one: the driver is halted in between, threads
 * are slow to wake, and the first has often done its part before the last begins. Called again at
 * once, warm threads start together; so most runs are made back to back, on problems of their own
 * that are checked afterwards. That costs microseconds a run where a single one costs a
 * millisecond, and small matrices - on whose elements many threads meet - get the most runs.
 */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "measure/harness_parts.h"
#include "model/race.h"

enum { BATCH_FIRST = 4, BATCH_MOST = 64, PRESS_MOST = 500, AGAIN = 7 };

/* A batch is shorter: each begins with cold threads, which show other races than warm ones. */
#define BATCH_NS UINT64_C(2000000)

/* Once this has gone by, a case that failed is not run again. */
#define AGAIN_NS UINT64_C(200000000)

static void lay_out(struct harness *s, struct driver_process *unit, const struct test_case *c,
                    unsigned reps, struct outcome *o)
{
    struct err e = ERR_INIT;
    *o = (struct outcome){0};
    if (arena_layout(&s->arena, c->shape, reps, driver_has_device(unit), &e) == 0) {
        driver_case(unit, &s->arena, false, o);
        return;
    }
    o->kind = OUTCOME_NOT_STARTED;
    snprintf(o->text, sizeof o->text, "%.500s", e.text);
}

/* Problems to make room for. A warm run is several times as fast as the cold one known so far. */
static unsigned batch_room(const struct harness *s, struct shape shape, double seconds)
{
    unsigned most = arena_capacity(&s->arena, shape);
    double fit = seconds > 0 ? 8 * (double)BATCH_NS * 1e-9 / seconds : BATCH_MOST;
    most = most < BATCH_MOST ? most : BATCH_MOST;
    if (fit >= most)
        return most;
    return fit < 1 ? 1 : (unsigned)fit;
}

/* Of the next batch, when the last one took so long. */
static unsigned next_batch(unsigned reps, double seconds, unsigned room)
{
    double fit = (double)BATCH_NS * 1e-9 * reps / (seconds > 1e-9 ? seconds : 1e-9);
    unsigned most = 2 * reps < room ? 2 * reps : room;
    if (fit >= most)
        return most;
    return fit < 1 ? 1 : (unsigned)fit;
}

/* Some kernels keep a little memory, or a communicator, with each call. That was no fault so far,
 * and must not become one. */
static bool piles_up(const struct driver_process *unit, const struct case_result *r)
{
    return r->runs >= PRESS_MOST || unit->peak_memory > unit->spec.limits->memory_bytes / 4;
}

int harness_press(struct harness *s, struct driver_process *unit, const struct test_case *c,
                  uint64_t first_run, int64_t ms, int most, double seconds, struct case_result *r,
                  struct outcome *o)
{
    const uint64_t until = clock_mono_ns() + (uint64_t)ms * 1000000;
    const unsigned room = batch_room(s, c->shape, seconds);
    unsigned reps = room < BATCH_FIRST ? room : BATCH_FIRST;
    lay_out(s, unit, c, room, o);
    while (o->kind == OUTCOME_OK &&
           (most > 0 ? r->runs < most : clock_mono_ns() < until && !piles_up(unit, r))) {
        struct timing t = {0};
        if (most > 0 && reps > (unsigned)(most - r->runs))
            reps = (unsigned)(most - r->runs);
        harness_try(s, unit, c, first_run + (uint64_t)r->runs, reps, harness_poison(), r, &t, o);
        reps = next_batch(reps, t.seconds, room);
    }
    return o->kind == OUTCOME_OK ? 0 : -1;
}

struct seen {
    char hash[AGAIN][HASH_HEX];
    int count;
};

/* Results of equal values; the poison under them is equal, too. */
static void note(struct seen *seen, const void *output, size_t bytes)
{
    char hash[HASH_HEX];
    hash_bytes(output, bytes, hash);
    for (int i = 0; i < seen->count; i++)
        if (strcmp(seen->hash[i], hash) == 0)
            return;
    memcpy(seen->hash[seen->count++], hash, sizeof hash);
}

int harness_confirm(struct harness *s, struct driver_process *unit, const struct test_case *c,
                    bool alone_failed, struct case_result *r, struct outcome *o)
{
    const uint64_t start = clock_mono_ns(), poison = harness_poison();
    const bool known = s->failed_run != HARNESS_RUN_UNKNOWN;
    struct race_evidence e = {.workers = r->launch.ranks * r->launch.threads,
                              .alone_failed = alone_failed,
                              .runs = known, /* the one that was wrong */
                              .wrong = known};
    struct seen wrong = {0};
    lay_out(s, unit, c, 1, o);
    for (int i = 0; i < AGAIN && o->kind == OUTCOME_OK && clock_mono_ns() - start < AGAIN_NS; i++) {
        struct timing t = {0};
        struct case_result one = {.launch = r->launch};
        harness_try(s, unit, c, known ? s->failed_run : 0, 1, poison, &one, &t, o);
        if (one.failed_runs)
            note(&wrong, arena_output(&s->arena, 0), s->kernel->output_bytes(c->shape));
        e.runs += one.runs;
        e.wrong += one.failed_runs;
        r->runs += one.runs;
        r->failed_runs += one.failed_runs;
    }
    e.different_wrongs = wrong.count;
    r->race = race_found(&e);
    if (r->race) {
        snprintf(r->mismatch.pattern, sizeof r->mismatch.pattern,
                 "a race: the same values give different results; %d of %d runs failed",
                 r->failed_runs, r->runs);
        harness_describe(s, r);
    }
    return o->kind == OUTCOME_OK ? 0 : -1;
}
