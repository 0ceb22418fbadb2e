#include "measure/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/strbuf.h"
#include "kernel/file.h"
#include "kernel/outputs.h"
#include "supervise/arena_parts.h"
#include "supervise/driver_start.h"

/* Problems, from which on a guess of what belongs together is wrong nearly always. */
enum { UNMASK_BEFORE_LEAST = 8 };

/* Is a kernel on a device timed beside this yardstick? */
static bool serves_device(const struct assignment *a, const char *yardstick)
{
    for (unsigned i = 0; i < a->tiers_count; i++)
        if (launch_kind_has(a->tiers[i].kind, KIND_DEVICE) &&
            strcmp(tier_yardstick(a, &a->tiers[i]), yardstick) == 0)
            return true;
    return false;
}

/* The arena must have room for the shapes of all cases that this yardstick is used for. */
static int create_arena(struct harness *h, const struct case_list *cases, const char *name,
                        size_t *largest_output, struct err *e)
{
    OWNED struct shape *shapes = xcalloc(cases->count, sizeof *shapes);
    size_t count = 0;
    size_t largest = 1;
    *largest_output = 1;
    for (size_t i = 0; i < cases->count; i++) {
        const struct test_case *c = &cases->item[i];
        if ((c->kind == CASE_PERFORMANCE && !case_timed_beside(h->assignment, name, c)) ||
            kernel_takes(h->kernel, c->shape, NULL) != 0)
            continue;
        const size_t bytes = kernel_output_bytes(h->kernel, c->shape);
        *largest_output = bytes > *largest_output ? bytes : *largest_output;
        for (int k = 0; k < h->kernel->inputs; k++) {
            const size_t input = operand_bytes(&h->kernel->in[k], c->shape);
            largest = input > largest ? input : largest;
        }
        shapes[count++] = c->shape;
    }
    largest = *largest_output > largest ? *largest_output : largest;
    int rc = arena_create(&h->arena, h->kernel, shapes, count,
                          matrix_pool_for(largest, serves_device(h->assignment, name)), e);
    if (rc == 0 && h->kernel->file && h->kernel->file->check) {
        rc = helper_open(&h->checks.process, &h->kernel->file->checker, shapes, count, e);
        if (rc != 0)
            arena_destroy(&h->arena);
    }
    if (rc == 0 && h->kernel->file && h->kernel->file->maker) {
        rc = helper_open(&h->maker.process, &h->kernel->file->making, shapes, count, e);
        if (rc != 0) {
            helper_close(&h->checks.process);
            arena_destroy(&h->arena);
        }
    }
    return rc;
}

int harness_create(struct harness *h, const struct assignment *a, const struct case_list *cases,
                   const char *name, const struct driver_spec *yardstick, struct err *e)
{
    size_t largest_output;
    *h = (struct harness){.assignment = a,
                          .kernel = a->tiers[assignment_tier(a, name)].kernel,
                          .yardstick = DRIVER_PROCESS_INIT,
                          .blank = DRIVER_PROCESS_INIT,
                          .answers.driver = DRIVER_PROCESS_INIT,
                          .yardstick_spec = *yardstick,
                          .case_ms = a->limits.case_ms};
    cores_allocated(&h->cores);
    if (create_arena(h, cases, name, &largest_output, e) != 0)
        return -1;
    h->expected = malloc(largest_output);
    if (h->expected)
        return 0;
    err_system(e, "out of memory: %zu bytes for one expected matrix", largest_output);
    harness_destroy(h);
    return -1;
}

int harness_start_yardstick(struct harness *h, const char *library, struct err *e)
{
    struct outcome o;
    h->yardstick_spec.library = library;
    driver_start(&h->yardstick, &h->yardstick_spec, 0, &o);
    return o.kind == OUTCOME_OK ? 0 : err_system(e, "the yardstick does not start: %s", o.text);
}

static struct driver_spec spec_of(const struct harness *h, const char *program, const char *library)
{
    struct driver_spec spec = h->yardstick_spec;
    spec.kind = LAUNCH_CPU;
    spec.program = program;
    spec.library = library;
    spec.launcher = NULL;
    return spec;
}

int harness_start_answers(struct harness *h, const char *program, const char *library,
                          struct err *e)
{
    const struct driver_spec spec = spec_of(h, program, library);
    return answers_start(&h->answers, &spec, e);
}

int harness_start_checks(struct harness *h, const char *program, const char *library, struct err *e)
{
    const struct driver_spec spec = spec_of(h, program, library);
    return helper_start(&h->checks.process, &spec, "the check of the exercise", e);
}

int harness_start_maker(struct harness *h, const char *program, const char *library, struct err *e)
{
    const struct driver_spec spec = spec_of(h, program, library);
    return helper_start(&h->maker.process, &spec, "the source of values", e);
}

int harness_generate(struct harness *h, const struct test_case *c, uint64_t first_run,
                     unsigned reps, struct outcome *o)
{
    arena_generate(&h->arena, c, first_run, reps);
    return maker_fill(&h->maker, &h->arena, c, first_run, o);
}

bool harness_checks_alone(const struct harness *h, const struct case_list *cases)
{
    if (launch_kind_has(h->yardstick_spec.kind, KIND_DEVICE))
        return false;
    for (size_t i = 0; i < cases->count && h->kernel->certify; i++)
        if (cases->item[i].kind == CASE_PERFORMANCE)
            return false;
    return true;
}

void harness_destroy(struct harness *h)
{
    if (driver_alive(&h->yardstick))
        driver_end(&h->yardstick);
    if (driver_alive(&h->blank))
        driver_end(&h->blank);
    answers_end(&h->answers);
    helper_close(&h->checks.process);
    helper_close(&h->maker.process);
    arena_destroy(&h->arena);
    free(h->numbers);
    h->numbers = NULL;
    free(h->expected);
    h->expected = NULL;
    known_times_free(&h->known);
}

static bool belongs_to(const struct driver_process *d, pid_t pid)
{
    FREED_BY(pid_list_free) struct pid_list l = {0};
    if (!driver_alive(d))
        return false;
    bool found = pid == d->pid;
    procfs_descendants(d->pid, &l);
    for (size_t i = 0; i < l.count; i++)
        found = found || l.pid[i] == pid;
    return found;
}

bool harness_owns(const struct harness *h, pid_t pid)
{
    return belongs_to(&h->yardstick, pid) || belongs_to(&h->blank, pid) ||
           belongs_to(&h->answers.driver, pid) ||
           (h->checks.process.kernel && belongs_to(&h->checks.process.driver, pid)) ||
           (h->maker.process.kernel && belongs_to(&h->maker.process.driver, pid));
}

int harness_lay_out(struct harness *h, struct shape shape, unsigned reps, enum computes computes,
                    struct outcome *o)
{
    struct err e = ERR_INIT;
    *o = (struct outcome){0};
    h->layout++;
    if (arena_layout(&h->arena, shape, reps, computes, &e) == 0)
        return 0;
    o->kind = OUTCOME_NOT_STARTED;
    snprintf(o->text, sizeof o->text, "%.500s", e.text);
    return -1;
}

uint64_t harness_poison(const struct harness *h)
{
    /* no zero byte: memory set to zero must be noticed */
    const uint64_t p = random_word() | UINT64_C(0x0101010101010101);
    return kernel_poison_pattern(h->kernel, p);
}

void harness_inputs(const struct harness *h, unsigned rep, const void *in[KERNEL_MAX_INPUTS])
{
    for (int i = 0; i < h->kernel->inputs; i++)
        in[i] = arena_input(&h->arena, i, rep);
}

const void *harness_host_answer(struct harness *h, struct shape shape, unsigned rep)
{
    const void *in[KERNEL_MAX_INPUTS];
    harness_inputs(h, rep, in);
    h->kernel->expect(shape, in, h->expected);
    return h->expected;
}

static struct answers_task answers_task(struct harness *h, const struct test_case *c, unsigned reps)
{
    return (struct answers_task){&h->arena, c, h->layout, reps, &h->assignment->limits};
}

int harness_repeat_answers(struct harness *h, const struct test_case *c, unsigned reps,
                           struct outcome *o)
{
    const struct answers_task t = answers_task(h, c, reps);
    return answers_repeat(&h->answers, &t, o);
}

int harness_trusted_answers(struct harness *h, const struct test_case *c, unsigned reps,
                            struct outcome *o)
{
    const struct answers_task t = answers_task(h, c, reps);
    return answers_make(&h->answers, &t, o);
}

uint64_t harness_compare(struct harness *h, const struct comparison *c, struct mismatch *m,
                         struct accuracy *a, struct outcome *o)
{
    struct comparison x = *c;
    struct opinion said;
    if (h->checks.process.kernel) {
        h->checks.limit_ms = h->case_ms;
        if (checks_ask(&h->checks, c, &said, o) != 0)
            return 0;
        x.checked = &said;
    }
    return kernel_compare(h->kernel, &x, m, a);
}

int harness_typical_spread(struct harness *h, const struct test_case *c,
                           double spread[KERNEL_MAX_OUTPUTS], struct outcome *o)
{
    const struct answers_task t = answers_task(h, c, 1);
    *o = (struct outcome){0};
    memset(spread, 0, KERNEL_MAX_OUTPUTS * sizeof *spread);
    return h->kernel->file ? answers_typical_spread(&h->answers, &t, spread, o) : 0;
}

/* The driver is not halted after these steps: to resume a halted driver takes longer than some
 * kernels. Before the mask is off, it can do nothing with the inputs, because it does not have the
 * key. Afterwards it does not know which of them belong together. */
static void prepare_device(struct harness *h, struct driver_process *d, const struct execution *x,
                           struct timing *t, struct outcome *o)
{
    const unsigned output = d == &h->yardstick ? 0 : PG_POISON;
    struct request q = {.steps = PG_WAKE | PG_UPLOAD | output,
                        .reps = x->reps,
                        .rounds = 1,
                        .limit_ms = x->copy_limit_ms,
                        .go_on = true};
    driver_run(d, &q, t, o);
    q.steps = PG_UNMASK;
    q.key = h->arena.key;
    if (o->kind == OUTCOME_OK && harness_unmasks_before(h, x->reps))
        driver_run(d, &q, t, o);
}

bool harness_unmasks_before(const struct harness *h, unsigned reps)
{
    return kernel_inputs_mix(h->kernel) && reps >= UNMASK_BEFORE_LEAST &&
           !kernel_in_place(h->kernel);
}

void harness_execute(struct harness *h, struct driver_process *d, const struct execution *x,
                     struct timing *t, struct outcome *o)
{
    struct request q = {.steps = PG_COMPUTE,
                        .reps = x->reps,
                        .rounds = 1,
                        .limit_ms = x->limit_ms,
                        .sets = h->arena.sets,
                        .pairing = h->arena.pairing};
    struct timing before = {0};
    *o = (struct outcome){0};
    if (d == &h->yardstick)
        arena_prepare_yard(&h->arena, x->reps);
    if (d->spec.spread)
        arena_spread(&h->arena, x->reps);
    if (d->computes == ON_DEVICE) {
        arena_mask(&h->arena);
        prepare_device(h, d, x, &before, o);
        q.steps |= PG_DOWNLOAD;
        if (!harness_unmasks_before(h, x->reps)) {
            q.steps |= PG_UNMASK;
            q.key = h->arena.key;
            before.seconds = 0;
        }
        q.copy_ms = x->copy_limit_ms;
    }
    if (o->kind == OUTCOME_OK)
        driver_run(d, &q, t, o);
    if (d->spec.spread && o->kind == OUTCOME_OK)
        arena_gather(&h->arena, x->reps);
    t->unmasked = before.seconds;
}

int64_t harness_batch_limit(int64_t call_limit_ms, unsigned reps, double call_seconds)
{
    return call_limit_ms + (int64_t)(2e3 * call_seconds * (reps - 1));
}

void harness_own_driver_failed(struct outcome *o)
{
    char text[sizeof o->text];
    snprintf(text, sizeof text, "a driver of the grader failed: %.400s", o->text);
    *o = (struct outcome){.kind =
                              o->kind == OUTCOME_STOPPED ? OUTCOME_STOPPED : OUTCOME_NOT_STARTED};
    memcpy(o->text, text, sizeof text);
}

void harness_try_device(struct harness *h, const struct driver_spec *like, bool matrices,
                        struct outcome *o)
{
    const struct request q = {
        .steps = PG_WAKE | PG_COMPUTE, .rounds = 1, .limit_ms = h->assignment->limits.case_ms};
    struct driver_process d;
    struct timing t;
    struct driver_spec spec = h->yardstick_spec;
    spec.kind = like->kind;
    spec.memory = like->memory;
    spec.program = like->program;
    spec.library = NULL;
    driver_start(&d, &spec, 0, o);
    if (o->kind == OUTCOME_OK && matrices)
        driver_case(&d, &h->arena, false, o);
    if (o->kind == OUTCOME_OK)
        driver_run(&d, &q, &t, o);
    if (driver_alive(&d))
        driver_end(&d);
}
