#include "measure/unmask_time.h"

#include <math.h>

#include "base/stats.h"
#include "supervise/driver_start.h"

enum { ROUNDS = 3 };

int unmask_clock_start(struct unmask_clock *c, struct harness *h, const struct driver_process *unit,
                       struct outcome *o)
{
    *o = (struct outcome){0};
    *c = (struct unmask_clock){.harness = h};
    if (!driver_has_mirror(unit))
        return 0;
    c->driver = &h->yardstick;
    if (driver_same_mirror(unit, &h->yardstick))
        return 0;
    struct driver_spec spec = unit->spec;
    spec.library = NULL;
    spec.own = true;
    c->driver = &h->blank;
    driver_start(c->driver, &spec, 0, o);
    if (o->kind == OUTCOME_OK)
        return 0;
    harness_own_driver_failed(o);
    return -1;
}

/* The time of a request that computes nothing, after an upload as before a run of the unit: caches
 * of the device must hold the same. */
static double time_of(struct unmask_clock *c, unsigned reps, unsigned unmask, struct outcome *o)
{
    struct timing t = {0};
    struct request q = {.steps = PG_WAKE | PG_UPLOAD,
                        .reps = reps,
                        .rounds = 1,
                        .limit_ms = c->harness->assignment->limits.unit_ms,
                        .go_on = true};
    if (o->kind == OUTCOME_OK)
        driver_run(c->driver, &q, &t, o);
    q.steps = PG_COMPUTE | unmask;
    q.reps = 0;
    q.go_on = false;
    if (o->kind == OUTCOME_OK)
        driver_run(c->driver, &q, &t, o);
    return t.seconds;
}

int unmask_clock_read(struct unmask_clock *c, unsigned reps, double *seconds, struct outcome *o)
{
    double with[ROUNDS], without[ROUNDS];
    *o = (struct outcome){0};
    *seconds = 0;
    if (!c->driver)
        return 0;
    if (c->driver == &c->harness->blank)
        driver_case(c->driver, &c->harness->arena, false, o);
    time_of(c, reps, PG_UNMASK, o); /* the first one loads code */
    for (int i = 0; i < ROUNDS; i++) {
        without[i] = time_of(c, reps, 0, o);
        with[i] = time_of(c, reps, PG_UNMASK, o);
    }
    if (o->kind != OUTCOME_OK) {
        harness_own_driver_failed(o);
        return -1;
    }
    *seconds = fmax(stats_median(with, ROUNDS) - stats_median(without, ROUNDS), 0);
    return 0;
}

void unmask_clock_end(struct unmask_clock *c)
{
    if (c->driver == &c->harness->blank && driver_alive(c->driver))
        driver_end(c->driver);
}
