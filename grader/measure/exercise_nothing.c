/* exercise_nothing.c - would a program pass that computes nothing? Students find out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "kernel/element.h"
#include "kernel/outputs.h"
#include "measure/exercise_look.h"

/* Larger results are left out: small cases tell the same. A kind that has this few cases tells
 * nothing alone. */
enum { ELEMENTS_MOST = 1 << 16, KIND_CASES = 4, TEXT_MOST = 100 };

static struct nothing_program *find(struct exercise_nothing *n, const char *what)
{
    for (int i = 0; i < n->programs; i++)
        if (strcmp(n->program[i].what, what) == 0)
            return &n->program[i];
    if (n->programs == NOTHING_MOST)
        return NULL;
    n->program[n->programs].what = xstrdup(what);
    return &n->program[n->programs++];
}

static void attempt(struct exercise_look *l, const char *what, const void *got)
{
    struct mismatch m;
    struct nothing_program *p = find(&l->nothing, what);
    if (!p || !exercise_look_accepts(l, got, &m, NULL))
        return;
    p->passes++;
    p->by_kind[l->test_case->values - VALUES_OWN]++;
}

/* Give all elements of the outputs this number. */
static void fill(const struct exercise *x, int64_t number, void *got)
{
    for (int o = 0; o < kernel_outputs(x->kernel); o++) {
        const struct operand *out = kernel_output(x->kernel, o);
        char *array = (char *)got + kernel_output_at(x->kernel, x->shape, o);
        for (size_t i = 0; i < operand_elements(out, x->shape); i++)
            element_set_whole(out->type, array, i, number);
    }
}

static void attempt_number(struct exercise_look *l, const char *what, int64_t number, void *got)
{
    fill(l->x, number, got);
    attempt(l, what, got);
}

/* Outputs of its type get its elements, or the first one everywhere. False: there is none. */
static bool take(const struct exercise *x, const struct operand *o, const void *in, bool first,
                 void *got)
{
    const size_t bytes = type_bytes(o->type), n = operand_elements(o, x->shape);
    bool any = false;
    fill(x, 0, got);
    for (int k = 0; k < kernel_outputs(x->kernel); k++) {
        const struct operand *out = kernel_output(x->kernel, k);
        const size_t room = operand_elements(out, x->shape);
        char *array = (char *)got + kernel_output_at(x->kernel, x->shape, k);
        if (o->type != out->type || n == 0 || (!first && (n < room || room == 1)))
            continue;
        any = true;
        for (size_t i = 0; i < room; i++)
            memcpy(array + i * bytes, (const char *)in + (first ? 0 : i * bytes), bytes);
    }
    return any;
}

static void attempt_input(struct exercise_look *l, int i, void *got)
{
    const struct operand *o = &l->x->kernel->in[i];
    char what[TEXT_MOST];
    if (take(l->x, o, l->in[i], true, got)) {
        snprintf(what, sizeof what, "writes %s%s", o->name, o->by_value ? "" : "[0]");
        attempt(l, what, got);
    }
    if (take(l->x, o, l->in[i], false, got)) {
        snprintf(what, sizeof what, "copies %s", o->name);
        attempt(l, what, got);
    }
}

/* The number that comes out here may come out everywhere. */
static void attempt_answer(struct exercise_look *l)
{
    char number[ELEMENT_TEXT], what[TEXT_MOST];
    if (l->elements != 1)
        return;
    exercise_text(l->x, l->expected, 0, number);
    snprintf(what, sizeof what, "writes %s", number);
    if (strcmp(number, "0") != 0 && strcmp(number, "1") != 0)
        attempt(l, what, l->expected);
}

void exercise_look_nothing(struct exercise_look *l)
{
    const struct kernel *k = l->x->kernel;
    if (l->elements == 0 || l->elements > ELEMENTS_MOST)
        return;
    OWNED void *got = xcalloc(l->x->arena.out_bytes + 1, 1);
    char what[TEXT_MOST];
    l->nothing.cases++;
    l->nothing.of_kind[l->test_case->values - VALUES_OWN]++;
    attempt_number(l, "writes 0", 0, got);
    attempt_number(l, "writes 1", 1, got);
    for (int d = 0; d < k->dims; d++) {
        snprintf(what, sizeof what, "writes %s", k->dim_name[d]);
        attempt_number(l, what, l->test_case->shape.dim[d], got);
    }
    for (int i = 0; i < k->inputs; i++)
        attempt_input(l, i, got);
    attempt_answer(l);
    if (kernel_in_place(k)) {
        kernel_poison(got, l->x->arena.out_bytes, l->poison);
        kernel_put_initial(k, l->x->shape, l->in, got);
        attempt(l, "does nothing", got);
    }
}

static void report_kinds(struct exercise_look *l)
{
    struct exercise_nothing *n = &l->nothing;
    for (int v = 0; v < l->x->kernel->values_count; v++)
        for (int i = 0; i < n->programs; i++) {
            if (n->of_kind[v] < KIND_CASES || n->program[i].by_kind[v] < n->of_kind[v])
                continue;
            exercise_report_add(&l->x->report, EXERCISE_NOTHING, EXERCISE_NOTE,
                                "a program that %s passes all %u cases of the kind %s: they find "
                                "no mistake",
                                n->program[i].what, n->of_kind[v],
                                kernel_values_name(l->x->kernel, l->x->kernel->values[v]));
            break;
        }
}

void exercise_report_nothing(struct exercise_look *l)
{
    struct exercise_nothing *n = &l->nothing;
    struct nothing_program *best = n->program;
    for (int i = 1; i < n->programs; i++)
        best = n->program[i].passes > best->passes ? &n->program[i] : best;
    if (!n->cases)
        return;
    const bool all = best->passes == n->cases, many = 2 * best->passes >= n->cases;
    if (!best->passes)
        exercise_report_add(&l->x->report, EXERCISE_NOTHING, EXERCISE_OK,
                            "no program that computes nothing passes one of %u cases", n->cases);
    else
        exercise_report_add(&l->x->report, EXERCISE_NOTHING,
                            all    ? EXERCISE_WRONG
                            : many ? EXERCISE_NOTE
                                   : EXERCISE_OK,
                            "a program that %s passes %u of %u cases%s", best->what, best->passes,
                            n->cases,
                            many ? ": add other values or sizes, or compare more strictly" : "");
    if (!all)
        report_kinds(l);
    for (int i = 0; i < n->programs; i++)
        free(n->program[i].what);
}
