#include "measure/checks.h"

#include <stdio.h>
#include <string.h>

#include "kernel/file.h"
#include "kernel/outputs.h"
#include "measure/check_words.h"
#include "supervise/driver_run.h"
#include "supervise/driver_start.h"

int checks_open(struct checks *c, const struct kernel *checker, const struct shape *shapes,
                size_t count, struct err *e)
{
    *c = (struct checks){.driver = DRIVER_PROCESS_INIT};
    if (arena_create(&c->arena, checker, shapes, count, (struct matrix_pool){1, 1, 1}, e) != 0)
        return -1;
    c->kernel = checker;
    return 0;
}

int checks_start(struct checks *c, const struct driver_spec *spec, struct err *e)
{
    struct outcome o;
    if (driver_alive(&c->driver))
        return 0;
    c->spec = *spec;
    c->spec.function = c->kernel->function;
    c->ready = false;
    driver_start(&c->driver, &c->spec, 0, &o);
    return o.kind == OUTCOME_OK
               ? 0
               : err_system(e, "the check of the exercise does not start: %s", o.text);
}

static void end(struct checks *c)
{
    if (driver_alive(&c->driver))
        driver_end(&c->driver);
    c->ready = false;
}

void checks_close(struct checks *c)
{
    if (!c->kernel)
        return;
    end(c);
    arena_destroy(&c->arena);
    c->kernel = NULL;
}

static void prepare(struct checks *c, struct shape s, struct outcome *o)
{
    struct err e = ERR_INIT;
    *o = (struct outcome){0};
    if (!driver_alive(&c->driver))
        driver_start(&c->driver, &c->spec, 0, o);
    if (o->kind != OUTCOME_OK || (c->ready && shape_equal(c->shape, s)))
        return;
    c->ready = false;
    c->shape = s;
    if (arena_layout(&c->arena, s, 1, ON_CORES, &e) != 0)
        outcome_set(o, OUTCOME_NOT_STARTED, "%.400s", e.text);
    else
        driver_case(&c->driver, &c->arena, false, o);
    c->ready = o->kind == OUTCOME_OK;
}

/* The inputs, the result, the right result. */
static void put(struct checks *c, const struct comparison *x, const void *got)
{
    const struct kernel *k = &c->kernel->file->kernel;
    const int outputs = kernel_outputs(k);
    for (int i = 0; i < c->kernel->inputs; i++) {
        const int output = i - k->inputs;
        const unsigned char *block = output < outputs ? got : x->expected;
        const void *from =
            output < 0 ? x->in[i] : block + kernel_output_at(k, x->shape, output % outputs);
        arena_set_input(&c->arena, i, from, operand_bytes(&c->kernel->in[i], x->shape));
    }
    /* So it says no, for no reason, until the function says something. */
    arena_poison(&c->arena, 0, 1);
}

static void read_answer(const struct checks *c, struct opinion *said)
{
    const unsigned char *block = arena_output(&c->arena, 0);
    int32_t answer;
    memcpy(&answer, block, sizeof answer);
    *said = (struct opinion){.right = answer != 0};
    memcpy(said->why, block + kernel_output_at(c->kernel, c->shape, 1), sizeof said->why);
    said->why[sizeof said->why - 1] = '\0';
    check_words_clean(said->why);
}

int checks_ask_once(struct checks *c, const struct comparison *x, const void *got,
                    struct opinion *said, struct outcome *o)
{
    const struct request q = {.steps = PG_COMPUTE,
                              .reps = 1,
                              .rounds = 1,
                              .sets = 1,
                              .limit_ms = c->limit_ms ? c->limit_ms : c->spec.limits->case_ms};
    struct timing t;
    prepare(c, x->shape, o);
    if (o->kind == OUTCOME_OK) {
        put(c, x, got);
        driver_run(&c->driver, &q, &t, o);
    }
    if (o->kind == OUTCOME_OK) {
        read_answer(c, said);
        return 0;
    }
    end(c);
    return -1;
}

/* The text and the kind of an outcome for which nobody loses points. */
static int infrastructure(struct outcome *o, const char *what, const char *text)
{
    char copy[400];
    const enum outcome_kind kind =
        o->kind == OUTCOME_STOPPED ? OUTCOME_STOPPED : OUTCOME_NOT_STARTED;
    snprintf(copy, sizeof copy, "%s", text);
    *o = (struct outcome){.kind = kind};
    snprintf(o->text, sizeof o->text, "the check of the exercise %s%s%s", what, *copy ? ": " : "",
             copy);
    return -1;
}

const char *checks_why(const struct checks *c, const struct outcome *o, char *out, size_t cap)
{
    static const char function[] = "the kernel ";
    char text[512] = "";
    outcome_verdict(o, c->kernel, c->spec.limits, text, sizeof text);
    const char *why = *text ? text : o->text;
    const bool named = strncmp(why, function, sizeof function - 1) == 0;
    snprintf(out, cap, "%s%s", named ? "it " : "", named ? why + sizeof function - 1 : why);
    check_words_of_end(out);
    return out;
}

int checks_ask(struct checks *c, const struct comparison *x, struct opinion *said,
               struct outcome *o)
{
    struct opinion of_right;
    char why[512] = "", also[512] = "";
    if (checks_ask_once(c, x, x->got, said, o) == 0 && said->right)
        return 0;
    if (o->kind == OUTCOME_STOPPED || o->kind == OUTCOME_NOT_STARTED)
        return infrastructure(o, "does not run", o->text);
    if (o->kind != OUTCOME_OK)
        checks_why(c, o, why, sizeof why);
    if (checks_ask_once(c, x, x->expected, &of_right, o) != 0) {
        checks_why(c, o, also, sizeof also);
        return infrastructure(o, "fails on the right answer", also);
    }
    if (!of_right.right)
        return infrastructure(o, "refuses the right answer", of_right.why);
    if (*why) {
        *said = (struct opinion){.right = false};
        c->unread++;
        snprintf(said->why, sizeof said->why, "the check of the exercise cannot read it (%.150s)",
                 why);
    }
    return 0;
}
