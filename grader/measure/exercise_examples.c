#include "measure/exercise_examples.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/plural.h"
#include "base/strbuf.h"
#include "kernel/outputs.h"

/* People write few digits. Both are NAN where the poison does not count. */
static bool is_near(const struct exercise *x, const void *a, const void *b, size_t i)
{
    const double p = exercise_number(x, a, i), q = exercise_number(x, b, i);
    const double off = exercise_distance(x, a, b, i);
    return off == 0 || (isinf(p) && p == q) || (isnan(p) && isnan(q)) ||
           (type_is_rounded(kernel_output(x->kernel, exercise_output_of(x, i))->type) &&
            off <= 1e-5 * fmax(fabs(p), fabs(q)));
}

/* output: to which `at` belongs. */
static void complain(struct exercise *x, int number, int output, const char *at, const char *text)
{
    const bool after = kernel_output(x->kernel, output)->initial;
    exercise_report_add(&x->report, EXERCISE_EXAMPLES, EXERCISE_WRONG,
                        "%s:%d: field 'examples[%d].%s%s': %s", x->file->name,
                        x->file->example[number].line[output], number, after ? "after." : "", at,
                        text);
}

/* Does the check of the exercise accept a result of an example? */
static bool accepts(struct exercise *x, const struct kernel_example *e, const void *answers,
                    const void *got)
{
    const void *in[KERNEL_MAX_INPUTS];
    const struct comparison c = {.shape = e->shape, .in = in, .expected = answers, .got = got};
    struct opinion said;
    struct outcome o;
    for (int i = 0; i < x->kernel->inputs; i++)
        in[i] = e->in[i];
    return checks_ask_once(&x->checks, &c, got, &said, &o) == 0 && said.right;
}

/* Where order, names of sets or a distance are free, the example need not give the same. */
static void apply_rules(struct exercise *x, const struct kernel_example *e, const void *answers,
                        void *got, void *example)
{
    const struct kernel *k = x->kernel;
    const struct shape s = e->shape;
    /* A check that is wrong is found elsewhere. */
    const bool accepted = !x->checks.process.kernel || accepts(x, e, answers, e->out) ||
                          !accepts(x, e, answers, answers);
    for (int i = 0; i < kernel_outputs(k); i++) {
        const size_t at = kernel_output_at(k, s, i);
        if (accepted && x->file->rule[i].how == RULE_CHECK)
            memcpy((char *)example + at, (char *)got + at, operand_bytes(kernel_output(k, i), s));
        if (!output_rule_is_plain(&x->file->rule[i]))
            output_rule_apply(&x->file->rule[i], k, i, s, answers, (char *)got + at,
                              (char *)example + at);
    }
}

static void *copy_of(const void *block, size_t bytes)
{
    void *copy = xcalloc(bytes, 1);
    memcpy(copy, block, bytes);
    return copy;
}

static void compare_blocks(struct exercise *x, int number, const void *got, const void *expected)
{
    const size_t n = exercise_elements(x);
    char name[ELEMENT_NAME], a[ELEMENT_TEXT], b[ELEMENT_TEXT], text[4 * ELEMENT_TEXT];
    size_t i = 0;
    while (i < n && is_near(x, got, expected, i))
        i++;
    if (i == n)
        return;
    exercise_text(x, got, i, a);
    exercise_text(x, expected, i, b);
    snprintf(text, sizeof text, "the trusted source gives %s, the example says %s", a, b);
    complain(x, number, exercise_output_of(x, i), exercise_element(x, i, name), text);
}

static void compare(struct exercise *x, int number, const void *answers)
{
    const struct kernel_example *e = &x->file->example[number];
    const size_t bytes = kernel_output_bytes(x->kernel, e->shape);
    OWNED void *got = copy_of(answers, bytes), *example = copy_of(e->out, bytes);
    apply_rules(x, e, answers, got, example);
    compare_blocks(x, number, got, example);
}

static void check(struct exercise *x, int number)
{
    const struct kernel_example *example = &x->file->example[number];
    const uint64_t poison = kernel_poison_of(x->kernel, POISON_NANS, UINT64_MAX / 3);
    struct err e = ERR_INIT;
    struct outcome o;
    char why[512];
    if (exercise_lay_out(x, example->shape, &e) != 0) {
        complain(x, number, 0, x->kernel->out.name, e.text);
        return;
    }
    for (int i = 0; i < x->kernel->inputs; i++)
        arena_set_input(&x->arena, i, 0, example->in[i],
                        operand_bytes(&x->kernel->in[i], example->shape));
    if (exercise_run(x, PROGRAM_TRUSTED, poison, PG_NEAREST, &o) == 0) {
        compare(x, number, arena_output(&x->arena, 0));
        return;
    }
    complain(x, number, 0, x->kernel->out.name, exercise_why(x, &o, why, sizeof why));
    exercise_end(x, PROGRAM_TRUSTED);
}

void exercise_check_examples(struct exercise *x)
{
    const int n = x->file->examples;
    const size_t before = x->report.rows;
    for (int i = 0; i < n; i++)
        check(x, i);
    if (!n)
        exercise_report_add(&x->report, EXERCISE_EXAMPLES, EXERCISE_NOTE,
                            "there is none: examples: [{...}] gives each dimension, input and "
                            "output");
    else if (x->report.rows == before)
        exercise_report_add(&x->report, EXERCISE_EXAMPLES, EXERCISE_OK,
                            "the trusted source gives the %s of %d %s",
                            plural((unsigned)n, "result", "results"), n,
                            plural((unsigned)n, "example", "examples"));
}
