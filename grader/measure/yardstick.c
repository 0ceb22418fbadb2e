#include "measure/yardstick.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/random.h"
#include "kernel/outputs.h"
#include "measure/run_overhead.h"

enum { OVERHEAD_RUNS = 51 };

/* Seconds: a run of this length need not be repeated. */
#define LONG_RUN 0.03

/* By the device's events, or by the clock without what a run of no problem takes. */
static double kernel_seconds(const struct harness *h, const struct timing *t)
{
    const struct run_cost cost = run_cost_on_host(&h->yardstick);
    return t->device > 0 ? t->device : run_kernel_seconds(&cost, t->seconds);
}

/* What is timed is always the first problem, repeated with warm caches for so long that the clock
 * measures it well. Only then is it the same measure beside short kernels, beside long kernels and
 * alone. What changes its operands in place cannot be repeated on them: the problems are timed. */
int yardstick_run(struct harness *h, unsigned reps, double *seconds, struct outcome *o)
{
    const int64_t limit_ms = h->assignment->limits.unit_ms;
    const double want = (double)h->assignment->performance.min_sample_ms * 1e-3;
    const struct execution x = {reps, limit_ms, limit_ms};
    struct timing run = {0};
    harness_execute(h, &h->yardstick, &x, &run, o);
    *seconds = kernel_seconds(h, &run) / reps;
    if (o->kind == OUTCOME_OK && !kernel_in_place(h->kernel) && (reps > 1 || *seconds < LONG_RUN)) {
        const struct request q = {.steps = PG_COMPUTE,
                                  .reps = 1,
                                  .rounds = (unsigned)(want / fmax(*seconds, 1e-7)) + 1,
                                  .limit_ms = limit_ms,
                                  .sets = h->arena.sets,
                                  .pairing = h->arena.pairing};
        driver_run(&h->yardstick, &q, &run, o);
        /* The events are those of the last round. */
        *seconds = kernel_seconds(h, &run) / (run.device > 0 ? 1 : q.rounds);
    }
    if (o->kind == OUTCOME_OK)
        return 0;
    harness_own_driver_failed(o);
    return -1;
}

/* The trusted source writes to where the yardstick has written. */
static bool is_trusted(struct harness *h, const struct test_case *c, struct comparison *x,
                       struct outcome *o)
{
    struct mismatch m;
    struct accuracy a;
    memcpy(h->expected, x->got, h->arena.out_bytes); /* the whole block */
    x->got = h->expected;
    if (harness_trusted_answers(h, c, 1, o) != 0)
        return true;
    x->expected = arena_yard_output(&h->arena, 0);
    x->spread = answers_spread(&h->answers, &h->arena, 0);
    return harness_compare(h, x, &m, &a, o) == 0;
}

/* Is the yardstick's output of problem 0 right? After *o, nobody knows. */
static bool is_right(struct harness *h, const struct test_case *c, struct outcome *o)
{
    const struct kernel *k = h->kernel;
    const void *in[KERNEL_MAX_INPUTS];
    struct comparison x = {
        .shape = c->shape, .values = c->values, .in = in, .got = arena_yard_output(&h->arena, 0)};
    struct mismatch m;
    struct accuracy a;
    harness_inputs(h, 0, in);
    if (k->file)
        return is_trusted(h, c, &x, o);
    if (k->certify)
        return k->certify(&x, random_word());
    x.expected = harness_host_answer(h, c->shape, 0);
    return kernel_compare(k, &x, &m, &a) == 0;
}

/* If results of timed runs are rounded: run the yardstick once on values whose result is exact. */
static bool check_exact(struct harness *h, const struct test_case *c, struct outcome *o)
{
    const struct execution x = {1, h->assignment->limits.unit_ms, h->assignment->limits.unit_ms};
    struct test_case exact = *c;
    struct timing t;
    if (kernel_values_exact(h->kernel, c->values))
        return true;
    exact.values = h->kernel->values[0];
    if (harness_generate(h, &exact, 0, 1, o) == 0)
        harness_execute(h, &h->yardstick, &x, &t, o);
    return o->kind != OUTCOME_OK || is_right(h, &exact, o);
}

/* Show the yardstick one problem of this shape, laid out as for a device, wherever it computes. */
static void prepare(struct harness *h, const struct test_case *c, struct outcome *o)
{
    if (harness_lay_out(h, c->shape, 1, ON_DEVICE, o) == 0)
        driver_case(&h->yardstick, &h->arena, true, o);
}

int yardstick_check(struct harness *h, const struct test_case *c, struct err *e)
{
    struct outcome o;
    double seconds;
    prepare(h, c, &o);
    bool right = o.kind != OUTCOME_OK || check_exact(h, c, &o);
    if (right && o.kind == OUTCOME_OK) {
        if (harness_generate(h, c, 0, 1, &o) == 0)
            yardstick_run(h, 1, &seconds, &o);
        right = o.kind != OUTCOME_OK || is_right(h, c, &o);
    }
    if (o.kind != OUTCOME_OK)
        return err_system(e, "%s", o.text);
    if (!right) {
        char shape[SHAPE_TEXT];
        shape_format(c->shape, shape);
        return err_system(e, "the yardstick is wrong at the size %s", shape);
    }
    return 0;
}

/* As many fresh problems as the clock needs, and as fit. */
static int many_in_place(struct harness *h, const struct test_case *c, double *seconds,
                         struct outcome *o)
{
    const double want = (double)h->assignment->performance.min_sample_ms * 1e-3;
    const double fit = *seconds < LONG_RUN ? want / fmax(*seconds, 1e-7) + 1 : 1;
    const unsigned room = arena_capacity(&h->arena, c->shape, true);
    const unsigned reps = fit < room ? (unsigned)fit : room;
    if (reps < 2)
        return 0;
    if (harness_lay_out(h, c->shape, reps, ON_DEVICE, o) == 0)
        driver_case(&h->yardstick, &h->arena, true, o);
    if (o->kind != OUTCOME_OK) {
        harness_own_driver_failed(o);
        return -1;
    }
    return harness_generate(h, c, random_word(), reps, o) == 0 ? yardstick_run(h, reps, seconds, o)
                                                               : -1;
}

int yardstick_alone(struct harness *h, const struct test_case *c, double *seconds,
                    struct outcome *o)
{
    prepare(h, c, o);
    if (o->kind != OUTCOME_OK) {
        harness_own_driver_failed(o);
        return -1;
    }
    if (harness_generate(h, c, random_word(), 1, o) != 0 || yardstick_run(h, 1, seconds, o) != 0)
        return -1;
    return kernel_in_place(h->kernel) ? many_in_place(h, c, seconds, o) : 0;
}

double yardstick_overhead_us(struct harness *h)
{
    double us[OVERHEAD_RUNS];
    struct outcome o;
    const struct request q = {
        .steps = PG_COMPUTE, .rounds = 1, .limit_ms = h->assignment->limits.case_ms};
    for (int i = 0; i < OVERHEAD_RUNS; i++) {
        struct timing t;
        driver_run(&h->yardstick, &q, &t, &o);
        if (o.kind != OUTCOME_OK)
            return 0;
        us[i] = t.seconds * 1e6;
    }
    return stats_median(us, OVERHEAD_RUNS);
}
