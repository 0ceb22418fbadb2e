#include "measure/harness_steps.h"

#include "kernel/element.h"
#include "kernel/outputs.h"

enum { STEPS_MOST = 64 };

bool harness_may_step(const struct kernel *k, int input)
{
    return kernel_in_place(k) && k->in[input].by_value && type_is_integer(k->in[input].type);
}

static void set_number(struct harness *h, int input, int number)
{
    uint64_t value = 0; /* room for any number */
    const enum element_type t = h->kernel->in[input].type;
    element_set_whole(t, &value, 0, number);
    arena_set_input(&h->arena, input, 0, &value, type_bytes(t));
}

/* What the last call has left are the values before the next one. */
static void go_on(struct harness *h, const struct batch *b)
{
    const struct kernel *k = h->kernel;
    const struct shape s = b->test_case->shape;
    const unsigned char *block = arena_output(&h->arena, 0);
    for (int i = 0; i < kernel_outputs(k); i++) {
        const struct operand *out = kernel_output(k, i);
        if (out->initial)
            arena_set_input(&h->arena, out->initial - 1, 0, block + kernel_output_at(k, s, i),
                            operand_bytes(out, s));
    }
    arena_poison(&h->arena, b->poison, 1);
}

void harness_steps(struct harness *h, const struct batch *b, const struct execution *x,
                   struct timing *t, struct outcome *o)
{
    const int input = h->stepped - 1;
    const double asked =
        element_real(h->kernel->in[input].type, arena_input(&h->arena, input, 0), 0);
    const bool several = asked >= 2 && asked <= STEPS_MOST;
    if (several)
        set_number(h, input, 1);
    harness_execute(h, b->driver, x, t, o);
    for (int done = 1; several && done < asked && o->kind == OUTCOME_OK; done++) {
        go_on(h, b);
        harness_execute(h, b->driver, x, t, o);
    }
    if (several && o->kind == OUTCOME_OK) /* the values of the whole problem */
        harness_generate(h, b->test_case, b->first_run, b->reps, o);
}
