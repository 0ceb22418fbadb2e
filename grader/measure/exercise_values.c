/* exercise_values.c - does the function that makes values make the same ones from the same key,
 * other ones from another key, and all of them? */
#include <string.h>

#include "base/strbuf.h"
#include "kernel/element.h"
#include "kernel/file.h"
#include "kernel/outputs.h"
#include "measure/exercise_look.h"

/* Nothing that a function would write by chance. */
#define OTHER_POISON UINT64_C(0xa5a5a5a5a5a5a5a5)

/* The first value of the kind's that is not as the block has it: its input, or -1. *at: the place.
 */
static int difference(const struct exercise_look *l, const struct maker *m,
                      const unsigned char *block, size_t *at)
{
    const struct kernel *k = l->x->kernel, *making = &l->x->file->making;
    const struct shape s = l->test_case->shape;
    for (int i = 0; i < k->inputs; i++) {
        const size_t n = operand_elements(&k->in[i], s);
        if (!kernel_file_calls(l->x->file, l->test_case->values, i))
            continue;
        *at = element_difference(k->in[i].type, block + kernel_output_at(making, s, i),
                                 maker_input(m, i), n);
        if (*at < n)
            return i;
    }
    return -1;
}

static void *block_of(const struct exercise_look *l, const struct maker *m)
{
    const size_t bytes = kernel_output_bytes(&l->x->file->making, l->test_case->shape);
    void *copy = xcalloc(bytes + 1, 1);
    memcpy(copy, maker_input(m, 0), bytes);
    return copy;
}

/* Make them once more; what is said if they are others. False: so it is, or the function failed. */
static bool same(struct exercise_look *l, struct maker *m, uint64_t poison, const void *block,
                 const char *what)
{
    struct outcome o;
    char why[512], number[ELEMENT_TEXT];
    size_t at;
    if (maker_make(m, l->test_case, case_run_seed(l->test_case, 0), poison, &o) != 0) {
        exercise_look_failed(l, EXERCISE_VALUES, "%s",
                             helper_why(&m->process, &o, why, sizeof why));
        return false;
    }
    struct stray stray;
    if (!arena_surround_intact(&m->process.arena, poison, 1, &stray)) {
        exercise_look_failed(l, EXERCISE_VALUES, "writes %s %s",
                             stray.where < 0 ? "before the start of" : "past the end of",
                             kernel_output(m->process.kernel, stray.output)->name);
        return false;
    }
    const int i = difference(l, m, block, &at);
    if (i < 0)
        return true;
    element_text(l->x->kernel->in[i].type, maker_input(m, i), at, number);
    exercise_look_failed(l, EXERCISE_VALUES, "%s: %s[%zu], now %s", what, l->x->kernel->in[i].name,
                         at, number);
    return false;
}

static bool is_finite(struct exercise_look *l, const unsigned char *block)
{
    const struct kernel *k = l->x->kernel;
    const struct shape s = l->test_case->shape;
    for (int i = 0; i < k->inputs; i++)
        for (size_t n = operand_elements(&k->in[i], s), at = 0;
             at < n && kernel_file_calls(l->x->file, l->test_case->values, i); at++)
            if (!element_is_finite(k->in[i].type,
                                   block + kernel_output_at(&l->x->file->making, s, i), at)) {
                exercise_look_failed(l, EXERCISE_VALUES, "%s[%zu] is not finite", k->in[i].name,
                                     at);
                return false;
            }
    return true;
}

/* Another key need not give other values where there are few. */
static void look_at_key(struct exercise_look *l, const void *block)
{
    struct maker *m = &l->x->maker;
    struct outcome o;
    size_t at;
    l->made++;
    if (maker_make(m, l->test_case, case_run_seed(l->test_case, 1), 0, &o) == 0)
        l->made_again += difference(l, m, block, &at) >= 0;
}

bool exercise_look_values(struct exercise_look *l)
{
    struct exercise *x = l->x;
    struct outcome o;
    if (!exercise_generate(x, l->test_case, 0, &o)) {
        exercise_look_failed(l, EXERCISE_VALUES, "%s", o.text);
        return false;
    }
    if (!kernel_file_calls(x->file, l->test_case->values, -1))
        return true;
    OWNED void *block = block_of(l, &x->maker);
    l->tally[EXERCISE_VALUES].cases++;
    const bool good =
        same(l, &x->maker, 0, block, "a second call with the same key makes other values") &&
        same(l, &x->maker_again, 0, block,
             "another process makes other values from the same key") &&
        same(l, &x->maker, OTHER_POISON, block, "it is not written") && is_finite(l, block);
    if (good)
        look_at_key(l, block);
    return good;
}

void exercise_report_values(struct exercise_look *l)
{
    if (!l->made)
        return;
    exercise_report_add(&l->x->report, EXERCISE_VALUES,
                        !l->made_again                ? EXERCISE_WRONG
                        : 2 * l->made_again < l->made ? EXERCISE_NOTE
                                                      : EXERCISE_OK,
                        "another key makes other values in %u of %u cases%s", l->made_again,
                        l->made, l->made_again ? "" : ": a program may know them");
}
