/* exercise_inputs.c - does each input matter? Other values must give another result. */
#include <string.h>

#include "base/rng.h"
#include "base/strbuf.h"
#include "kernel/element.h"
#include "kernel/file.h"
#include "measure/exercise_look.h"

/* So many elements are tried until one is another. The run whose values are taken. A program that
 * reads so little of an input is worth a note: one change in so many shows. */
enum { TRIES = 32, OTHER_RUN = 77, SELDOM = 10 };

/* True if the trusted source gives another result for these values of an input. */
static bool changes(struct exercise_look *l, int i, const void *values, size_t bytes)
{
    struct exercise *x = l->x;
    struct outcome o;
    arena_set_input(&x->arena, i, 0, values, bytes);
    if (exercise_run(x, PROGRAM_TRUSTED, l->poison, PG_NEAREST, &o) != 0) {
        exercise_end(x, PROGRAM_TRUSTED);
        return true;
    }
    return exercise_difference(x, l->expected, arena_output(&x->arena, 0)) < l->elements;
}

/* Put one element of `other` into `values`. False: no element that was tried is another. */
static bool change_one(enum element_type t, const void *other, void *values, size_t n,
                       uint64_t seed)
{
    const size_t bytes = type_bytes(t);
    for (int k = 0; k < TRIES; k++) {
        const size_t at = rng_at(seed, (uint64_t)k) % n;
        if (element_equal(t, other, values, at))
            continue;
        memcpy((char *)values + at * bytes, (const char *)other + at * bytes, bytes);
        return true;
    }
    return false;
}

static void other_values(struct exercise_look *l, int i, void *other, size_t bytes)
{
    const struct kernel *k = l->x->kernel;
    const struct test_case *c = l->test_case;
    const uint64_t seed = case_run_seed(c, OTHER_RUN);
    struct outcome o;
    if (!kernel_file_calls(l->x->file, c->values, i))
        k->generate(k, c->shape, c->values, seed, i, other);
    else if (maker_make(&l->x->maker, c, seed, 0, &o) == 0)
        memcpy(other, maker_input(&l->x->maker, i), bytes);
}

static void look_at(struct exercise_look *l, int i)
{
    const struct operand *o = &l->x->kernel->in[i];
    const struct test_case *c = l->test_case;
    const size_t n = operand_elements(o, c->shape), bytes = operand_bytes(o, c->shape);
    struct exercise_input *tally = &l->input[i];
    if (n == 0)
        return;
    OWNED void *own = xcalloc(bytes, 1), *other = xcalloc(bytes, 1), *values = xcalloc(bytes, 1);
    memcpy(own, l->in[i], bytes);
    memcpy(values, own, bytes);
    other_values(l, i, other, bytes);
    if (element_difference(o->type, own, other, n) < n) {
        tally->all++;
        tally->all_changed += changes(l, i, other, bytes);
    }
    if (change_one(o->type, other, values, n, c->seed)) {
        tally->one++;
        tally->one_changed += changes(l, i, values, bytes);
    }
    arena_set_input(&l->x->arena, i, 0, own, bytes);
}

void exercise_look_inputs(struct exercise_look *l)
{
    for (int i = 0; i < l->x->kernel->inputs; i++) {
        l->input[i].looked++;
        look_at(l, i);
    }
}

void exercise_report_inputs(struct exercise_look *l)
{
    struct exercise_report *r = &l->x->report;
    for (int i = 0; i < l->x->kernel->inputs; i++) {
        const struct exercise_input *t = &l->input[i];
        const char *name = l->x->kernel->in[i].name;
        if (!t->looked)
            continue;
        if (!t->all)
            exercise_report_add(r, EXERCISE_INPUTS, EXERCISE_NOTE,
                                "%s has the same values in every run: a program may know them",
                                name);
        else if (!t->all_changed)
            exercise_report_add(
                r, EXERCISE_INPUTS, EXERCISE_WRONG,
                "%s: in %u cases, other values change no result: it is not read, or "
                "does not matter",
                name, t->all);
        else
            exercise_report_add(r, EXERCISE_INPUTS,
                                t->one_changed * SELDOM < t->one ? EXERCISE_NOTE : EXERCISE_OK,
                                "%s: another value of one element changes %u of %u results", name,
                                t->one_changed, t->one);
    }
}
