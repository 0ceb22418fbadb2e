/*
 * exercise_digits.c - how exactly results of the largest timed size are compared. What rounding
 * allows grows with the length of a sum: a sum of a million floats may be some percent off, so a
 * program that leaves out terms could pass.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "kernel/element.h"
#include "kernel/outputs.h"
#include "kernel/shape.h"
#include "measure/exercise_look.h"

/* Of a result; the worst one that is called exact. */
#define OFF_MOST 1e-3

/* The result of the trusted source; NULL: it failed. The caller frees it. */
static void *run(struct exercise *x, enum pg_rounding rounding)
{
    struct outcome o;
    if (exercise_run(x, PROGRAM_TRUSTED, 0, rounding, &o) != 0) {
        exercise_end(x, PROGRAM_TRUSTED);
        return NULL;
    }
    void *got = xcalloc(x->arena.out_bytes + 1, 1);
    memcpy(got, arena_output(&x->arena, 0), x->arena.out_bytes);
    return got;
}

/* How far elements of an output may be off, as a share of them (root mean squares). */
static double off(const struct exercise *x, int output, const void *result, const void *up,
                  const void *down)
{
    const struct shape s = x->largest.shape;
    const size_t from = kernel_output_elements(x->kernel, s, output),
                 end = kernel_output_elements(x->kernel, s, output + 1);
    double allowed = 0, size = 0;
    for (size_t i = from; i < end; i++) {
        const double d = exercise_distance(x, up, down, i), e = exercise_number(x, result, i);
        allowed += d * d;
        size += e * e;
    }
    return size > 0 ? KERNEL_ERROR_RMS_MOST * sqrt(allowed / size) : 0;
}

static void report(struct exercise *x, double most, int output)
{
    const char *const name = kernel_output(x->kernel, output)->name;
    char size[SHAPE_TEXT];
    shape_format(x->largest.shape, size);
    if (most <= OFF_MOST)
        exercise_report_add(&x->report, EXERCISE_DIGITS, EXERCISE_OK,
                            "rounding hides no term at size %s", size);
    else
        exercise_report_add(&x->report, EXERCISE_DIGITS, EXERCISE_NOTE,
                            "at size %s, rounding allows %s to be %.3g %% off, so a program that "
                            "leaves out terms passes. Time exact values (timed: %s) or doubles, or "
                            "say how far results may be off: compare: {%s: {within: ...}}",
                            size, name, 100 * fmin(most, 1),
                            kernel_values_name(x->kernel, x->kernel->values[0]), name);
}

void exercise_look_digits(struct exercise *x)
{
    struct err ignored = ERR_INIT;
    double most = 0;
    int worst = 0;
    struct outcome o;
    if (!x->has_largest || exercise_lay_out(x, x->largest.shape, &ignored) != 0 ||
        !exercise_generate(x, &x->largest, 0, &o))
        return;
    OWNED void *result = run(x, PG_NEAREST), *up = result ? run(x, PG_UPWARD) : NULL,
               *down = up ? run(x, PG_DOWNWARD) : NULL;
    for (int i = 0; down && i < kernel_outputs(x->kernel); i++) {
        const bool rounded =
            type_is_rounded(kernel_output(x->kernel, i)->type) && x->file->rule[i].how == RULE_AUTO;
        const double this = rounded ? off(x, i, result, up, down) : 0;
        worst = this > most ? i : worst;
        most = fmax(most, this);
    }
    if (down)
        report(x, most, worst);
}
