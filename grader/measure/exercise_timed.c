/*
 * exercise_timed.c - are the values of timed runs new each time? Where the results are the same, a
 * program may keep those of its first call, and its time is that of a copy.
 */
#include <stdlib.h>
#include <string.h>

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

void exercise_look_timed(struct exercise *x)
{
    const struct test_case *found = most_work(x);
    struct err ignored = ERR_INIT;
    struct outcome o;
    bool same = true;
    if (!found || exercise_lay_out(x, found->shape, &ignored) != 0)
        return;
    struct test_case c = *found;
    c.values = x->kernel->timed;
    unsigned char *first = xcalloc(x->arena.out_bytes + 1, 1);
    for (uint64_t run = 0; run < TIMED_RUNS && same; run++) {
        if (!exercise_generate(x, &c, run, &o) ||
            exercise_run(x, PROGRAM_TRUSTED, 0, PG_NEAREST, &o) != 0) {
            exercise_end(x, PROGRAM_TRUSTED);
            free(first);
            return;
        }
        if (run == 0)
            memcpy(first, arena_output(&x->arena, 0), x->arena.out_bytes);
        else
            same =
                exercise_difference(x, first, arena_output(&x->arena, 0)) == exercise_elements(x);
    }
    free(first);
    char size[SHAPE_TEXT];
    const char *values = kernel_values_name(x->kernel, x->kernel->timed);
    shape_format(c.shape, size);
    if (same)
        exercise_report_add(&x->report, EXERCISE_TIMED, EXERCISE_NOTE,
                            "%d runs with the values of timed runs (%s) give the same results at "
                            "size %s: a program that keeps those of its first call passes, and is "
                            "as fast as a copy. Give no points for speed, or time values that "
                            "differ (timed: ...)",
                            TIMED_RUNS, values, size);
    else
        exercise_report_add(&x->report, EXERCISE_TIMED, EXERCISE_OK,
                            "timed runs (%s) have new results each time", values);
}
