#include "measure/run_overhead.h"

#include <math.h>

#include "base/stats.h"
#include "kernel/outputs.h"
#include "supervise/driver_start.h"

enum { ROUNDS = 7 };

/* What a copy or the mask may take longer than expected: a share, and seconds. */
#define LATE_SHARE 0.05
#define LATE_SECONDS 1e-4

/* Shares of a run that are subtracted at most. */
#define HOST_MOST 0.1
#define DEVICE_MOST 0.5

int run_overhead_start(struct run_overhead *r, struct harness *h, const struct driver_spec *unit,
                       struct outcome *o)
{
    *o = (struct outcome){0};
    *r = (struct run_overhead){.harness = h};
    if (!launch_kind_has(unit->kind, KIND_DEVICE))
        return 0;
    r->device = &h->yardstick;
    if (h->yardstick.computes == ON_DEVICE && h->yardstick.spec.kind == unit->kind &&
        h->yardstick.spec.memory == unit->memory)
        return 0;
    struct driver_spec spec = *unit;
    spec.library = NULL;
    spec.own = true;
    r->device = &h->blank;
    driver_start(r->device, &spec, 0, o);
    if (o->kind == OUTCOME_OK)
        return 0;
    run_overhead_end(r);
    harness_own_driver_failed(o);
    return -1;
}

/* Of the areas that are copied to and from the device; `in` with what is copied there when the mask
 * comes off. */
static struct bytes {
    double in, out;
} bytes_of(const struct arena *a)
{
    struct bytes b = {.out = (double)a->layout.out.map_bytes};
    for (uint32_t i = 0; i < a->layout.form.inputs; i++)
        b.in += (double)a->layout.in[i].map_bytes;
    if (kernel_in_place(a->kernel))
        b.in += b.out;
    return b;
}

/* A run of no problem, after an upload as before a run of a unit: caches of the device must hold
 * the same. */
static struct run_cost empty_run(struct run_overhead *r, unsigned reps, struct outcome *o)
{
    const int64_t limit_ms = r->harness->assignment->limits.unit_ms;
    struct timing upload = {0}, unmask = {0}, run = {0};
    struct request q = {.steps = PG_WAKE | PG_UPLOAD,
                        .reps = reps,
                        .rounds = 1,
                        .limit_ms = limit_ms,
                        .copy_ms = limit_ms,
                        .go_on = true};
    if (o->kind == OUTCOME_OK)
        driver_run(r->device, &q, &upload, o);
    q.steps = PG_UNMASK;
    q.sets = r->harness->arena.sets;
    if (o->kind == OUTCOME_OK)
        driver_run(r->device, &q, &unmask, o);
    q.steps = PG_COMPUTE | PG_DOWNLOAD;
    q.reps = 0;
    q.go_on = false;
    if (o->kind == OUTCOME_OK)
        driver_run(r->device, &q, &run, o);
    return (struct run_cost){
        .run = run.seconds - fmax(run.device, 0), .unmask = unmask.seconds, .copy = run.copied};
}

/* Interference makes a run longer. So a short run counts, and too much is hardly ever subtracted;
 * not the shortest: on an H200, runs of units took 5 to 40 us more than that. Copies and the mask
 * vary more, and what was expected to be faster is late. So their median counts. */
static struct run_cost usual_run(struct run_overhead *r, struct shape shape, unsigned reps,
                                 struct outcome *o)
{
    struct harness *h = r->harness;
    double run[ROUNDS], copy[ROUNDS], unmask[ROUNDS];
    if (o->kind != OUTCOME_OK || harness_lay_out(h, shape, reps, r->device->computes, o) != 0)
        return (struct run_cost){0};
    driver_case(r->device, &h->arena, r->device == &h->yardstick, o);
    empty_run(r, reps, o); /* the first one loads code */
    for (int i = 0; i < ROUNDS; i++) {
        const struct run_cost one = empty_run(r, reps, o);
        run[i] = one.run;
        copy[i] = one.copy;
        unmask[i] = one.unmask;
    }
    return (struct run_cost){.run = stats_quantile(run, ROUNDS, 0.25),
                             .unmask = stats_median(unmask, ROUNDS),
                             .copy = stats_median(copy, ROUNDS)};
}

/* Through two points: `few` and `many` bytes take `least` and `most` seconds. */
static struct linear_cost line(double few, double least, double many, double most)
{
    const double per_byte = many > few ? fmax((most - least) / (many - few), 0) : 0;
    return (struct linear_cost){fmax(least - per_byte * few, 0), per_byte};
}

double problem_bytes(const struct kernel *k, struct shape s)
{
    double bytes = (double)kernel_output_bytes(k, s);
    for (int i = 0; i < k->inputs; i++)
        bytes += (double)operand_bytes(&k->in[i], s);
    return bytes;
}

struct shape_range run_overhead_range(const struct kernel *k, const struct shape *shapes, size_t n)
{
    struct shape_range r = {shapes[0], shapes[0]};
    for (size_t i = 1; i < n; i++) {
        if (problem_bytes(k, shapes[i]) < problem_bytes(k, r.least))
            r.least = shapes[i];
        if (problem_bytes(k, shapes[i]) > problem_bytes(k, r.most))
            r.most = shapes[i];
    }
    return r;
}

int run_overhead_measure(struct run_overhead *r, struct shape_range shapes, struct outcome *o)
{
    const struct arena *a = &r->harness->arena;
    *o = (struct outcome){0};
    if (!r->device)
        return 0;
    const struct run_cost least = usual_run(r, shapes.least, 1, o);
    const struct bytes few = bytes_of(a);
    const struct run_cost most = usual_run(r, shapes.most, arena_capacity(a, shapes.most, true), o);
    const struct bytes many = bytes_of(a);
    if (o->kind != OUTCOME_OK) {
        harness_own_driver_failed(o);
        return -1;
    }
    r->run = most.run;
    r->unmask = line(few.in, least.unmask, many.in, most.unmask);
    r->copy = line(few.out, least.copy, many.out, most.copy);
    return 0;
}

struct run_cost run_cost_on_host(const struct driver_process *d)
{
    return (struct run_cost){.run = d->empty_run, .most = HOST_MOST};
}

struct run_cost run_overhead_of(const struct run_overhead *r, const struct driver_process *unit,
                                const struct arena *a, unsigned reps)
{
    const struct bytes b = bytes_of(a);
    if (!r->device)
        return run_cost_on_host(unit);
    return (struct run_cost){.run = r->run,
                             .unmask = r->unmask.fixed + r->unmask.per_byte * b.in,
                             .unmask_inside = !harness_unmasks_before(r->harness, reps),
                             .copy = r->copy.fixed + r->copy.per_byte * b.out,
                             .most = DEVICE_MOST};
}

static double late(double expected, double seconds)
{
    return fmax(seconds - expected * (1 + LATE_SHARE) - LATE_SECONDS, 0);
}

double run_late(const struct run_cost *c, double copied, double unmasked)
{
    return late(c->copy, copied) + (c->unmask_inside ? 0 : late(c->unmask, unmasked));
}

static double without(const struct run_cost *c, double seconds, double overhead)
{
    return fmax(seconds - overhead, seconds * (1 - c->most));
}

double run_kernel_seconds(const struct run_cost *c, double seconds)
{
    return without(c, seconds, c->run + (c->unmask_inside ? c->unmask : 0));
}

double run_whole_seconds(const struct run_cost *c, double seconds)
{
    return without(c, seconds, c->run + c->unmask);
}

void run_overhead_end(struct run_overhead *r)
{
    if (r->device == &r->harness->blank && driver_alive(r->device))
        driver_end(r->device);
}
