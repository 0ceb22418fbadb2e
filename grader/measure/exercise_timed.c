/*
 * exercise_timed.c - are the values of timed runs new each time? Where inputs come again, or all
 * results are the same, a program may keep results, and its time is that of a copy.
 */
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "kernel/shape.h"
#include "measure/exercise_look.h"

/* One bit may be the same some times by chance. */
enum { TIMED_RUNS = 8 };

/* The case with the most work; NULL: there is none. */
static const struct test_case *most_work(const struct exercise *x)
{
    const struct test_case *found = NULL;
    for (size_t i = 0; i < x->cases.count; i++) {
        const struct test_case *c = &x->cases.item[i];
        if (!found || kernel_work(x->kernel, c->shape) > kernel_work(x->kernel, found->shape))
            found = c;
    }
    return found;
}

/* What some runs have. */
struct seen {
    unsigned char *inputs; /* different ones, one after the other */
    unsigned char *result; /* of the first run */
    int different;         /* inputs */
    bool same;             /* all results are */
};

static size_t bytes_of_inputs(const struct exercise *x)
{
    size_t bytes = 0;
    for (int i = 0; i < x->kernel->inputs; i++)
        bytes += operand_bytes(&x->kernel->in[i], x->shape);
    return bytes;
}

static void add_inputs(const struct exercise *x, struct seen *s)
{
    const size_t bytes = bytes_of_inputs(x);
    unsigned char *mine = s->inputs + (size_t)s->different * bytes, *at = mine;
    for (int i = 0; i < x->kernel->inputs; i++) {
        const size_t n = operand_bytes(&x->kernel->in[i], x->shape);
        memcpy(at, arena_input(&x->arena, i, 0), n);
        at += n;
    }
    for (int i = 0; i < s->different; i++)
        if (memcmp(s->inputs + (size_t)i * bytes, mine, bytes) == 0)
            return;
    s->different++;
}

static void add_result(const struct exercise *x, uint64_t run, struct seen *s)
{
    if (run == 0)
        memcpy(s->result, arena_output(&x->arena, 0), x->arena.out_bytes);
    s->same = s->same &&
              exercise_difference(x, s->result, arena_output(&x->arena, 0)) == exercise_elements(x);
}

/* False: the trusted source fails. */
static bool look(struct exercise *x, const struct test_case *c, struct seen *s)
{
    struct outcome o;
    for (uint64_t run = 0; run < TIMED_RUNS; run++) {
        if (!exercise_generate(x, c, run, &o) ||
            exercise_run(x, PROGRAM_TRUSTED, 0, PG_NEAREST, &o) != 0) {
            exercise_end(x, PROGRAM_TRUSTED);
            return false;
        }
        add_inputs(x, s);
        add_result(x, run, s);
    }
    return true;
}

static void report(struct exercise *x, const struct test_case *c, const struct seen *s)
{
    const char *values = kernel_values_name(x->kernel, c->values);
    char size[SHAPE_TEXT];
    shape_format(c->shape, size);
    if (s->different > TIMED_RUNS / 2 && !s->same) {
        exercise_report_add(&x->report, EXERCISE_TIMED, EXERCISE_OK,
                            "timed runs (%s) have new inputs and results each time", values);
        return;
    }
    char *what =
        s->same ? xstrdup("the same results") : xasprintf("%d different inputs", s->different);
    exercise_report_add(&x->report, EXERCISE_TIMED, EXERCISE_NOTE,
                        "%d runs with the values of timed runs (%s) have %s at size %s: a program "
                        "that keeps results from call to call passes, and is as fast as a copy. "
                        "Give no points for speed, or time values that differ more (timed: ...)",
                        TIMED_RUNS, values, what, size);
    free(what);
}

void exercise_look_timed(struct exercise *x)
{
    const struct test_case *found = most_work(x);
    struct err ignored = ERR_INIT;
    if (!found || exercise_lay_out(x, found->shape, &ignored) != 0)
        return;
    struct test_case c = *found;
    c.values = x->kernel->timed;
    struct seen s = {.inputs = xcalloc(TIMED_RUNS, bytes_of_inputs(x) + 1),
                     .result = xcalloc(x->arena.out_bytes + 1, 1),
                     .same = true};
    if (look(x, &c, &s))
        report(x, &c, &s);
    free(s.inputs);
    free(s.result);
}
