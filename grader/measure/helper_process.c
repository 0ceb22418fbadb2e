#include "measure/helper_process.h"

#include <stdio.h>
#include <string.h>

#include "measure/check_words.h"
#include "supervise/driver_run.h"
#include "supervise/driver_start.h"

int helper_open(struct helper_process *h, const struct kernel *kernel, const struct shape *shapes,
                size_t count, struct err *e)
{
    *h = (struct helper_process){.driver = DRIVER_PROCESS_INIT};
    if (arena_create(&h->arena, kernel, shapes, count, (struct matrix_pool){1, 1, 1}, e) != 0)
        return -1;
    h->kernel = kernel;
    return 0;
}

int helper_start(struct helper_process *h, const struct driver_spec *spec, const char *what,
                 struct err *e)
{
    struct outcome o;
    if (driver_alive(&h->driver))
        return 0;
    h->spec = *spec;
    h->spec.function = h->kernel->function;
    h->ready = false;
    driver_start(&h->driver, &h->spec, 0, &o);
    return o.kind == OUTCOME_OK ? 0 : err_system(e, "%s does not start: %s", what, o.text);
}

static void end(struct helper_process *h)
{
    if (driver_alive(&h->driver))
        driver_end(&h->driver);
    h->ready = false;
}

void helper_close(struct helper_process *h)
{
    if (!h->kernel)
        return;
    end(h);
    arena_destroy(&h->arena);
    h->kernel = NULL;
}

void helper_lay_out(struct helper_process *h, struct shape s, struct outcome *o)
{
    struct err e = ERR_INIT;
    *o = (struct outcome){0};
    if (!driver_alive(&h->driver))
        driver_start(&h->driver, &h->spec, 0, o);
    if (o->kind != OUTCOME_OK || (h->ready && shape_equal(h->shape, s)))
        return;
    h->ready = false;
    h->shape = s;
    if (arena_layout(&h->arena, s, 1, ON_CORES, &e) != 0)
        outcome_set(o, OUTCOME_NOT_STARTED, "%.400s", e.text);
    else
        driver_case(&h->driver, &h->arena, false, o);
    h->ready = o->kind == OUTCOME_OK;
}

int helper_run(struct helper_process *h, int64_t limit_ms, struct outcome *o)
{
    const struct request q = {
        .steps = PG_COMPUTE, .reps = 1, .rounds = 1, .sets = 1, .limit_ms = limit_ms};
    struct timing t;
    if (o->kind == OUTCOME_OK)
        driver_run(&h->driver, &q, &t, o);
    if (o->kind == OUTCOME_OK)
        return 0;
    end(h);
    return -1;
}

const char *helper_words(const struct kernel *kernel, const struct limits *limits,
                         const struct outcome *o, char *out, size_t cap)
{
    static const char function[] = "the kernel ";
    char text[512] = "";
    outcome_verdict(o, kernel, limits, text, sizeof text);
    const char *why = *text ? text : o->text;
    const bool named = strncmp(why, function, sizeof function - 1) == 0;
    snprintf(out, cap, "%s%s", named ? "it " : "", named ? why + sizeof function - 1 : why);
    check_words_of_end(out);
    return out;
}

const char *helper_why(const struct helper_process *h, const struct outcome *o, char *out,
                       size_t cap)
{
    return helper_words(h->kernel, h->spec.limits, o, out, cap);
}

void helper_not_students(struct outcome *o, const char *whose, const char *what, const char *why)
{
    char copy[400];
    const enum outcome_kind kind =
        o->kind == OUTCOME_STOPPED ? OUTCOME_STOPPED : OUTCOME_NOT_STARTED;
    snprintf(copy, sizeof copy, "%s", why);
    *o = (struct outcome){.kind = kind};
    snprintf(o->text, sizeof o->text, "%s %s%s%s; `paragrade kernel check` tries it", whose, what,
             *copy ? ": " : "", copy);
}
