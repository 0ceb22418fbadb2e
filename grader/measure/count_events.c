#include "measure/count_events.h"

#include <string.h>

#include "base/random.h"
#include "supervise/arena_parts.h"

/* The first run is not counted: it pays for the pages of the new mappings. */
enum { COUNTED = 3 };

/* Values of a run that no other run of the case has. */
static void execute(struct harness *h, struct driver_process *d, const struct test_case *t,
                    const struct request *q, struct outcome *o)
{
    struct timing ignored;
    if (harness_generate(h, t, random_word(), q->reps, o) != 0)
        return;
    arena_poison(&h->arena, harness_poison(h), q->reps);
    if (d->spec.spread)
        arena_spread(&h->arena, q->reps);
    driver_run(d, q, &ignored, o);
}

int count_events(struct harness *h, struct driver_process *d, const struct test_case *t,
                 unsigned reps, struct counters *c, struct outcome *o)
{
    struct request q = {
        .steps = PG_COMPUTE, .reps = reps, .rounds = 1, .limit_ms = h->assignment->limits.case_ms};
    struct driver_counters counters;
    *o = (struct outcome){0};
    *c = (struct counters){.runs = 0};
    if (d->computes != ON_CORES)
        return 0;
    if (harness_lay_out(h, t->shape, reps, d->computes, o) != 0)
        return -1;
    driver_case(d, &h->arena, false, o);
    if (o->kind == OUTCOME_OK)
        execute(h, d, t, &q, o);
    driver_counters_open(&counters, d);
    q.counters = &counters;
    for (int i = 0; i < COUNTED && o->kind == OUTCOME_OK; i++)
        execute(h, d, t, &q, o);
    if (o->kind == OUTCOME_OK) {
        c->runs = COUNTED;
        driver_counters_read(&counters, c->value);
        for (int i = 0; i < COUNTER_COUNT; i++)
            c->value[i] /= (double)reps * COUNTED;
        memcpy(c->reason, counters.reason, sizeof c->reason);
    }
    driver_counters_close(&counters);
    return o->kind == OUTCOME_OK ? 0 : -1;
}
