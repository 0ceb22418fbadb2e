/* exercise_asked.c - is the check of the exercise right? It accepts the trusted result, and refuses
 * results that somebody has changed, however they are. */
#include <stdlib.h>
#include <string.h>

#include "base/plural.h"
#include "base/rng.h"
#include "base/strbuf.h"
#include "kernel/element.h"
#include "kernel/outputs.h"
#include "measure/exercise_look.h"

static void attempt(struct exercise_look *l, const void *got)
{
    struct opinion said;
    if (exercise_difference(l->x, l->expected, got) == l->elements)
        return;
    l->asked.changed++;
    exercise_look_ask(l, got, false, &said);
    l->asked.refused += !said.right;
}

/* Change an element of an output that is checked: to that of another place, to the next number, to
 * one that no index is. */
static void change_elements(struct exercise_look *l, int output, unsigned char *got)
{
    const struct operand *o = kernel_output(l->x->kernel, output);
    const size_t n = operand_elements(o, l->x->shape), bytes = type_bytes(o->type);
    unsigned char *array = got + kernel_output_at(l->x->kernel, l->x->shape, output);
    if (n == 0)
        return;
    const size_t at = rng_at(l->test_case->seed, 0) % n;
    unsigned char *element = array + at * bytes;
    OWNED unsigned char *kept = xcalloc(bytes, 1);
    memcpy(kept, element, bytes);
    memcpy(element, array + (at + 1) % n * bytes, bytes);
    attempt(l, got);
    element_set_whole(o->type, array, at, (int64_t)element_real(o->type, kept, 0) + 1);
    attempt(l, got);
    memset(element, 0x7e, bytes);
    attempt(l, got);
    memcpy(element, kept, bytes);
}

void exercise_look_asked(struct exercise_look *l)
{
    struct exercise *x = l->x;
    struct opinion said;
    if (!x->checks.process.kernel || l->asked.broken)
        return;
    l->tally[EXERCISE_CHECK].cases++;
    const int rc = exercise_look_ask(l, l->expected, true, &said);
    l->asked.broken = rc != 0 || !said.right;
    if (l->asked.broken) {
        exercise_look_failed(l, EXERCISE_CHECK, "it %s the right answer%s%s",
                             rc != 0 ? "fails on" : "refuses", *said.why || rc != 0 ? ": " : "",
                             rc != 0 ? strstr(l->asked.how, "): ") + 3 : said.why);
        return;
    }
    OWNED unsigned char *got = xcalloc(x->arena.out_bytes + 1, 1);
    memcpy(got, l->expected, x->arena.out_bytes);
    for (int i = 0; i < kernel_outputs(x->kernel); i++)
        if (x->file->rule[i].how == RULE_CHECK)
            change_elements(l, i, got);
    kernel_poison(got, x->arena.out_bytes, l->poison);
    attempt(l, got);
}

void exercise_report_asked(struct exercise_look *l)
{
    struct exercise_report *r = &l->x->report;
    struct exercise_asked *t = &l->asked;
    if (t->how && !t->broken)
        exercise_report_add(r, EXERCISE_CHECK, EXERCISE_NOTE,
                            "%s: a result may hold anything, so look at each number before it is "
                            "used",
                            t->how);
    if (t->changed && !t->broken)
        exercise_report_add(r, EXERCISE_CHECK,
                            !t->refused                   ? EXERCISE_WRONG
                            : 2 * t->refused < t->changed ? EXERCISE_NOTE
                                                          : EXERCISE_OK,
                            "it refuses %u of %u %s that were changed", t->refused, t->changed,
                            plural(t->changed, "result", "results"));
    free(t->how);
}
