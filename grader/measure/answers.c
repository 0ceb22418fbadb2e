#include "measure/answers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
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

/* The student has nothing to do with it. */
static int failed(struct outcome *o)
{
    char text[sizeof o->text];
    const enum outcome_kind kind =
        o->kind == OUTCOME_STOPPED ? OUTCOME_STOPPED : OUTCOME_NOT_STARTED;
    snprintf(text, sizeof text, "the trusted source of the exercise failed: %.400s",
             o->text[0] ? o->text : "it crashed, or took too long");
    *o = (struct outcome){.kind = kind};
    memcpy(o->text, text, sizeof text);
    return -1;
}

static int compute(struct answers *a, const struct answers_task *t, enum pg_rounding rounding,
                   struct outcome *o)
{
    const struct request q = {.steps = PG_COMPUTE,
                              .reps = t->reps,
                              .rounds = 1,
                              .limit_ms = t->limit_ms,
                              .sets = t->arena->sets,
                              .shift = t->arena->shift,
                              .rounding = rounding};
    struct timing time;
    driver_run(&a->driver, &q, &time, o);
    return o->kind == OUTCOME_OK ? 0 : failed(o);
}

static double element(const struct arena *arena, unsigned rep, size_t i)
{
    const void *output = arena_yard_output(arena, rep);
    return arena->kernel->out.type == TYPE_F32 ? (double)((const float *)output)[i]
                                               : ((const double *)output)[i];
}

static size_t elements(const struct arena *arena)
{
    return arena->out_bytes / type_bytes(arena->kernel->out.type);
}

/* Keep the outputs, or take what was kept from them. */
static void keep(struct answers *a, const struct answers_task *t, bool difference)
{
    const size_t n = elements(t->arena);
    for (unsigned r = 0; r < t->reps; r++)
        for (size_t i = 0; i < n; i++) {
            double *x = &a->spread[r * n + i];
            *x = difference ? fabs(element(t->arena, r, i) - *x) : element(t->arena, r, i);
        }
}

static int make_spread(struct answers *a, const struct answers_task *t, struct outcome *o)
{
    const size_t room = t->reps * elements(t->arena);
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

/* Start it anew after a failure, and tell it where the problems are. */
static int prepare(struct answers *a, const struct answers_task *t, struct outcome *o)
{
    *o = (struct outcome){0};
    if (!driver_alive(&a->driver)) {
        driver_start(&a->driver, &a->spec, 0, o);
        a->layout = 0;
    }
    if (o->kind == OUTCOME_OK && a->layout != t->layout)
        driver_case(&a->driver, t->arena, true, o);
    a->layout = t->layout;
    return o->kind == OUTCOME_OK ? 0 : failed(o);
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

const double *answers_spread(const struct answers *a, const struct arena *arena, unsigned rep)
{
    return a->spread ? a->spread + rep * elements(arena) : NULL;
}

int answers_typical_spread(struct answers *a, const struct answers_task *t, double *spread,
                           struct outcome *o)
{
    struct answers_task one = *t;
    const struct shape s = t->test_case->shape;
    double squares = 0;
    one.reps = 1;
    *o = (struct outcome){0};
    *spread = 0;
    if (is_exact(t))
        return 0;
    for (unsigned i = 0; i < a->known_count; i++)
        if (shape_equal(a->known[i].shape, s)) {
            *spread = a->known[i].spread;
            return 0;
        }
    if (answers_make(a, &one, o) != 0)
        return -1;
    const size_t n = elements(t->arena);
    for (size_t i = 0; i < n; i++)
        squares += a->spread[i] * a->spread[i];
    *spread = sqrt(squares / (double)n);
    if (a->known_count < ANSWERS_SIZES) {
        a->known[a->known_count].shape = s;
        a->known[a->known_count++].spread = *spread;
    }
    return 0;
}
