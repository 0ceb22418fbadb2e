#include "measure/maker.h"

#include <stdio.h>

#include "kernel/file.h"
#include "kernel/outputs.h"

int maker_make(struct maker *m, const struct test_case *c, uint64_t key, uint64_t poison,
               struct outcome *o)
{
    struct helper_process *p = &m->process;
    char kind[VALUES_NAME] = "";
    helper_lay_out(p, c->shape, o);
    if (o->kind == OUTCOME_OK) {
        snprintf(kind, sizeof kind, "%s", kernel_values_name(&p->kernel->file->kernel, c->values));
        arena_set_input(&p->arena, 0, 0, kind, sizeof kind);
        arena_set_input(&p->arena, 1, 0, &key, sizeof key);
        arena_poison(&p->arena, poison, 1);
    }
    return helper_run(p, p->spec.limits->case_ms, o);
}

const void *maker_input(const struct maker *m, int i)
{
    const struct helper_process *p = &m->process;
    return (const unsigned char *)arena_output(&p->arena, 0) +
           kernel_output_at(p->kernel, p->shape, i);
}

static int failed(const struct maker *m, struct outcome *o)
{
    char why[512];
    helper_why(&m->process, o, why, sizeof why);
    helper_not_students(o, "the function that makes the values of the exercise", "failed", why);
    return -1;
}

int maker_fill(struct maker *m, struct arena *a, const struct test_case *c, uint64_t first_run,
               struct outcome *o)
{
    const struct kernel *k = a->kernel;
    *o = (struct outcome){0};
    if (!k->file || !kernel_file_calls(k->file, c->values, -1))
        return 0;
    for (unsigned r = 0; r < a->sets; r++) {
        if (maker_make(m, c, case_run_seed(c, first_run + r), 0, o) != 0)
            return failed(m, o);
        for (int i = 0; i < k->inputs; i++)
            if (kernel_file_calls(k->file, c->values, i))
                arena_set_input(a, i, r, maker_input(m, i), operand_bytes(&k->in[i], c->shape));
    }
    return 0;
}
