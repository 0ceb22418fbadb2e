/*
 * exercise_timed.c - are the values of timed runs new each time? Where the results are the same, a
 * program may keep those of its first call, and its time is that of a copy.
 */
#include <stdlib.h>
#include <string.h>

#include "base/plural.h"
#include "base/strbuf.h"
#include "kernel/shape.h"
#include "measure/exercise_look.h"

/* One bit may be the same twice by chance. */
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

/* Is the result in the arena one of the first `n`? */
static bool is_known(const struct exercise *x, const unsigned char *result, int n)
{
    for (int i = 0; i < n; i++)
        if (exercise_difference(x, result + (size_t)i * x->arena.out_bytes,
                                arena_output(&x->arena, 0)) == exercise_elements(x))
            return true;
    return false;
}

/* How many results the runs have; 0: the trusted source fails. */
static int count(struct exercise *x, const struct test_case *c)
{
    const size_t bytes = x->arena.out_bytes;
    unsigned char *result = xcalloc(TIMED_RUNS, bytes + 1);
    struct outcome o;
    int n = 0;
    for (uint64_t run = 0; run < TIMED_RUNS; run++) {
        if (!exercise_generate(x, c, run, &o) ||
            exercise_run(x, PROGRAM_TRUSTED, 0, PG_NEAREST, &o) != 0) {
            exercise_end(x, PROGRAM_TRUSTED);
            n = 0;
            break;
        }
        if (!is_known(x, result, n))
            memcpy(result + (size_t)n++ * bytes, arena_output(&x->arena, 0), bytes);
    }
    free(result);
    return n;
}

void exercise_look_timed(struct exercise *x)
{
    const struct test_case *found = most_work(x);
    struct err ignored = ERR_INIT;
    if (!found || exercise_lay_out(x, found->shape, &ignored) != 0)
        return;
    struct test_case c = *found;
    c.values = x->kernel->timed;
    const int results = count(x, &c);
    const char *values = kernel_values_name(x->kernel, c.values);
    char size[SHAPE_TEXT];
    shape_format(c.shape, size);
    if (results > TIMED_RUNS / 2)
        exercise_report_add(&x->report, EXERCISE_TIMED, EXERCISE_OK,
                            "timed runs (%s) have new results each time", values);
    else if (results)
        exercise_report_add(&x->report, EXERCISE_TIMED, EXERCISE_NOTE,
                            "%d runs with the values of timed runs (%s) have %d %s at size %s: a "
                            "program that keeps results from call to call passes, and is as fast "
                            "as a copy. Give no points for speed, or time values that differ more "
                            "(timed: ...)",
                            TIMED_RUNS, values, results,
                            plural((size_t)results, "result", "results"), size);
}
