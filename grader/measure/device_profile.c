#include "measure/device_profile.h"

#include "base/random.h"

int device_profile_take(struct harness *h, struct driver_process *d, const struct test_case *c,
                        struct device_profile *p, struct outcome *o)
{
    struct timing t;
    struct request q = {.steps = PG_UPLOAD | PG_UNMASK | PG_COMPUTE | PG_DOWNLOAD | PG_PROFILE,
                        .reps = 1,
                        .rounds = 1,
                        .limit_ms = h->assignment->limits.unit_ms,
                        .profile = p};
    if (harness_lay_out(h, c->shape, 1, d->computes, o) != 0)
        return -1;
    p->shape = c->shape;
    if (harness_generate(h, c, random_word(), 1, o) != 0)
        return -1;
    arena_mask(&h->arena);
    q.key = h->arena.key;
    driver_case(d, &h->arena, false, o);
    if (o->kind == OUTCOME_OK)
        driver_run(d, &q, &t, o);
    return o->kind == OUTCOME_OK ? 0 : -1;
}
