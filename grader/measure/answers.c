#include "measure/answers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "kernel/element.h"
#include "kernel/file.h"
#include "kernel/outputs.h"
#include "measure/helper_process.h"
#include "supervise/driver_run.h"
#include "supervise/driver_start.h"

int answers_start(struct answers *a, const struct driver_spec *spec, struct err *e)
{
    struct outcome o;
    if (driver_alive(&a->driver))
        return 0;
    a->spec = *spec;
    a->layout = 0;
    driver_start(&a->driver, &a->spec, 0, &o);
    return o.kind == OUTCOME_OK ? 0
                                : err_system(e, "the trusted source does not start: %s", o.text);
}

void answers_end(struct answers *a)
{
    if (driver_alive(&a->driver))
        driver_end(&a->driver);
    free(a->spread);
    a->spread = NULL;
    a->room = 0;
}

/* It computes on one core, as students' first programs do: who hangs must not hold up the unit. */
enum { CASES = 3 };

static int64_t limit_ms(const struct answers *a, const struct answers_task *t)
{
    const int64_t ms = CASES * t->limits->case_ms + (int64_t)(2e3 * a->seconds * (t->reps - 1));
    return ms < t->limits->unit_ms ? ms : t->limits->unit_ms;
}

/* The student has nothing to do with it. */
static int failed(const struct answers *a, const struct answers_task *t, struct outcome *o)
{
    char why[512];
    if (o->kind == OUTCOME_CASE_TIMEOUT && !o->deadlock_ns)
        snprintf(why, sizeof why, "ran longer than %.3g s%s", (double)limit_ms(a, t) / 1000,
                 t->reps == 1 ? ", three times limits.case" : " for several problems");
    else
        helper_words(t->arena->kernel, a->spec.limits, o, why, sizeof why);
    helper_not_students(o, "the trusted source of the exercise", "failed", why);
    return -1;
}

static int compute(struct answers *a, const struct answers_task *t, enum pg_rounding rounding,
                   struct outcome *o)
{
    const struct request q = {.steps = PG_COMPUTE,
                              .reps = t->reps,
                              .rounds = 1,
                              .limit_ms = limit_ms(a, t),
                              .sets = t->arena->sets,
                              .pairing = t->arena->pairing,
                              .rounding = rounding};
    struct timing time;
    arena_prepare_yard(t->arena, t->reps);
    driver_run(&a->driver, &q, &time, o);
    if (o->kind != OUTCOME_OK)
        return failed(a, t, o);
    a->seconds = fmax(a->seconds, time.seconds / t->reps);
    return 0;
}

static size_t elements(const struct arena *arena)
{
    return kernel_output_elements(arena->kernel, arena->shape, kernel_outputs(arena->kernel));
}

/* Keep an output, or take what was kept from it. imaginary: of complex elements. */
static void keep_one(const struct operand *o, struct shape s, const void *output, bool difference,
                     double *kept, double *imaginary)
{
    const size_t n = operand_elements(o, s);
    for (size_t i = 0; i < n; i++) {
        /* Integers are never rounded. */
        const bool rounded = type_is_rounded(o->type);
        const double x = rounded ? element_part(o->type, output, i, 0) : 0,
                     y = rounded ? element_part(o->type, output, i, 1) : 0;
        kept[i] = difference ? hypot(x - kept[i], y - imaginary[i]) : x;
        imaginary[i] = y;
    }
}

static void keep(struct answers *a, const struct answers_task *t, bool difference)
{
    const struct kernel *k = t->arena->kernel;
    const struct shape s = t->arena->shape;
    const size_t n = elements(t->arena);
    for (unsigned r = 0; r < t->reps; r++) {
        const unsigned char *block = arena_yard_output(t->arena, r);
        for (int i = 0; i < kernel_outputs(k); i++)
            keep_one(kernel_output(k, i), s, block + kernel_output_at(k, s, i), difference,
                     &a->spread[r * n + kernel_output_elements(k, s, i)],
                     &a->spread[(t->reps + r) * n + kernel_output_elements(k, s, i)]);
    }
}

static int make_spread(struct answers *a, const struct answers_task *t, struct outcome *o)
{
    const size_t room = (size_t)2 * t->reps * elements(t->arena);
    if (room > a->room) {
        free(a->spread);
        a->spread = xcalloc(room, sizeof *a->spread);
        a->room = room;
    }
    if (compute(a, t, PG_UPWARD, o) != 0)
        return -1;
    keep(a, t, false);
    if (compute(a, t, PG_DOWNWARD, o) != 0)
        return -1;
    keep(a, t, true);
    return 0;
}

static bool is_exact(const struct answers_task *t)
{
    return kernel_values_exact(t->arena->kernel, t->test_case->values);
}

/* The function gets a smaller number; the operands stay as they are. */
static void give_case(struct answers *a, struct arena *arena, struct outcome *o)
{
    int32_t *dim = &arena->layout.form.dim[a->less.dim];
    const int32_t whole = *dim, rest = a->less.parts > 1 ? whole % a->less.parts : a->less.parts;
    *dim = whole - rest;
    driver_case(&a->driver, arena, true, o);
    *dim = whole;
}

/* Start it anew after a failure, and tell it where the problems are. */
static int prepare(struct answers *a, const struct answers_task *t, struct outcome *o)
{
    *o = (struct outcome){0};
    if (!driver_alive(&a->driver)) {
        driver_start(&a->driver, &a->spec, 0, o);
        a->layout = 0;
    }
    if (o->kind == OUTCOME_OK && a->layout != t->layout)
        give_case(a, t->arena, o);
    a->layout = t->layout;
    return o->kind == OUTCOME_OK ? 0 : failed(a, t, o);
}

int answers_make(struct answers *a, const struct answers_task *t, struct outcome *o)
{
    if (prepare(a, t, o) != 0)
        return -1;
    if (is_exact(t)) {
        free(a->spread);
        a->spread = NULL;
        a->room = 0;
    } else if (make_spread(a, t, o) != 0) {
        return -1;
    }
    return compute(a, t, PG_NEAREST, o);
}

/* Are the outputs equal that have one right answer? Labels, rows in any order and the like have
 * many. */
static bool are_equal(const struct arena *arena, const unsigned char *a, const unsigned char *b)
{
    const struct kernel *k = arena->kernel;
    bool equal = true;
    for (int i = 0; i < kernel_outputs(k); i++) {
        const size_t at = kernel_output_at(k, arena->shape, i);
        if (output_rule_is_plain(&k->file->rule[i]))
            equal = equal &&
                    memcmp(a + at, b + at, operand_bytes(kernel_output(k, i), arena->shape)) == 0;
    }
    return equal;
}

int answers_repeat(struct answers *a, const struct answers_task *t, struct outcome *o)
{
    const size_t bytes = kernel_output_bytes(t->arena->kernel, t->arena->shape);
    if (!is_exact(t))
        return 0;
    unsigned char *first = xcalloc(t->reps, bytes + 1);
    bool same = true;
    for (unsigned r = 0; r < t->reps; r++)
        memcpy(first + r * bytes, arena_yard_output(t->arena, r), bytes);
    const int rc = compute(a, t, PG_NEAREST, o);
    for (unsigned r = 0; r < t->reps && rc == 0; r++)
        same = same && are_equal(t->arena, first + r * bytes, arena_yard_output(t->arena, r));
    free(first);
    if (!same)
        helper_not_students(o, "the trusted source of the exercise",
                            "gives other results when it is asked again", "");
    return same ? rc : -1;
}

const double *answers_spread(const struct answers *a, const struct arena *arena, unsigned rep)
{
    return a->spread ? a->spread + rep * elements(arena) : NULL;
}

/* Of one output. */
static double root_mean_square(const struct answers *a, const struct kernel *k, struct shape s,
                               int output)
{
    const size_t from = kernel_output_elements(k, s, output),
                 end = kernel_output_elements(k, s, output + 1);
    double squares = 0;
    for (size_t i = from; i < end; i++)
        squares += a->spread[i] * a->spread[i];
    return sqrt(squares / (double)(end - from));
}

int answers_typical_spread(struct answers *a, const struct answers_task *t,
                           double spread[KERNEL_MAX_OUTPUTS], struct outcome *o)
{
    const struct kernel *k = t->arena->kernel;
    const size_t bytes = KERNEL_MAX_OUTPUTS * sizeof *spread;
    struct answers_task one = *t;
    const struct shape s = t->test_case->shape;
    one.reps = 1;
    *o = (struct outcome){0};
    memset(spread, 0, bytes);
    if (is_exact(t))
        return 0;
    for (unsigned i = 0; i < a->known_count; i++)
        if (shape_equal(a->known[i].shape, s)) {
            memcpy(spread, a->known[i].spread, bytes);
            return 0;
        }
    if (answers_make(a, &one, o) != 0)
        return -1;
    for (int i = 0; i < kernel_outputs(k); i++)
        spread[i] = root_mean_square(a, k, s, i);
    if (a->known_count < ANSWERS_SIZES) {
        a->known[a->known_count].shape = s;
        memcpy(a->known[a->known_count++].spread, spread, bytes);
    }
    return 0;
}
