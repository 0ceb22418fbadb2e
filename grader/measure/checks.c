#include "measure/checks.h"

#include <stdio.h>
#include <string.h>

#include "kernel/file.h"
#include "kernel/outputs.h"
#include "measure/check_words.h"

/* The inputs, the result, the right result. */
static void put(struct helper_process *c, const struct comparison *x, const void *got)
{
    const struct kernel *k = &c->kernel->file->kernel;
    const int outputs = kernel_outputs(k);
    for (int i = 0; i < c->kernel->inputs; i++) {
        const int output = i - k->inputs;
        const unsigned char *block = output < outputs ? got : x->expected;
        const void *from =
            output < 0 ? x->in[i] : block + kernel_output_at(k, x->shape, output % outputs);
        arena_set_input(&c->arena, i, 0, from, operand_bytes(&c->kernel->in[i], x->shape));
    }
    /* So it says no, for no reason, until the function says something. */
    arena_poison(&c->arena, 0, 1);
}

static void read_answer(const struct helper_process *c, struct opinion *said)
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
    struct helper_process *p = &c->process;
    helper_lay_out(p, x->shape, o);
    if (o->kind == OUTCOME_OK)
        put(p, x, got);
    if (helper_run(p, c->limit_ms ? c->limit_ms : p->spec.limits->case_ms, o) != 0)
        return -1;
    read_answer(p, said);
    return 0;
}

static int infrastructure(struct outcome *o, const char *what, const char *text)
{
    helper_not_students(o, "the check of the exercise", what, text);
    return -1;
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
        helper_why(&c->process, o, why, sizeof why);
    if (checks_ask_once(c, x, x->expected, &of_right, o) != 0) {
        helper_why(&c->process, o, also, sizeof also);
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
