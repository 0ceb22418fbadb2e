#include "measure/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/clock.h"
#include "base/rng.h"
#include "base/strbuf.h"
#include "measure/harness_parts.h"
#include "supervise/driver_start.h"
#include "supervise/guards.h"

enum { OVERHEAD_RUNS = 51 };

int harness_create(struct harness *s, const struct assignment *a, const struct case_list *cases,
                   const char *name, const struct driver_spec *yardstick, struct err *e)
{
    *s = (struct harness){
        .assignment = a, .kernel = kernel_find(a->kernel, a->type), .yard_spec = *yardstick};
    if (!s->kernel)
        return err_system(e, "no kernel %s of type %s in this build", a->kernel,
                          type_name(a->type));
    cores_allocated(&s->cores);
    struct shape *shapes = xcalloc(cases->count, sizeof *shapes);
    size_t largest = 1, count = 0;
    for (size_t i = 0; i < cases->count; i++) {
        const struct test_case *c = &cases->item[i];
        if (c->kind == CASE_PERFORMANCE && !case_timed_beside(a, name, c))
            continue;
        size_t bytes = s->kernel->output_bytes(c->shape);
        largest = bytes > largest ? bytes : largest;
        shapes[count++] = c->shape;
    }
    int rc = arena_create(&s->arena, s->kernel, shapes, count, MATRIX_POOL_BYTES, e);
    free(shapes);
    if (rc != 0)
        return -1;
    s->expected = malloc(largest);
    if (!s->expected) {
        arena_destroy(&s->arena);
        return err_system(e, "out of memory: %zu bytes for one expected matrix", largest);
    }
    struct outcome o;
    driver_start(&s->yard, &s->yard_spec, 0, &o);
    if (o.kind != OUTCOME_OK) {
        arena_destroy(&s->arena);
        free(s->expected);
        s->expected = NULL;
        return err_system(e, "the yardstick does not start: %s", o.text);
    }
    return 0;
}

void harness_destroy(struct harness *s)
{
    if (driver_alive(&s->yard))
        driver_end(&s->yard);
    arena_destroy(&s->arena);
    free(s->expected);
    free(s->yard_expected);
    s->expected = NULL;
    s->yard_expected = NULL;
    s->yard_expected_count = 0;
}

uint64_t harness_poison(void)
{
    uint64_t p;
    /* Any value will do where there is no randomness; it only must not be guessable. */
    if (getrandom(&p, sizeof p, 0) != (ssize_t)sizeof p)
        p = rng_mix64(clock_mono_ns());
    return p | UINT64_C(0x0101010101010101); /* no zero byte: zeroed memory must stand out */
}

void harness_describe(const struct harness *s, struct case_result *r)
{
    const struct mismatch *m = &r->mismatch;
    snprintf(r->message, sizeof r->message,
             "%s[%d][%d]: expected %lld, got %lld; %llu of %llu elements wrong: %s",
             s->kernel->output_name, m->row, m->col, (long long)m->expected, (long long)m->got,
             (unsigned long long)m->wrong, (unsigned long long)m->total, m->pattern);
}

void harness_judge(const struct harness *s, const struct test_case *c, const void *expected,
                   const void *got, uint64_t poison, struct case_result *r)
{
    struct mismatch m;
    if (s->kernel->compare(c->shape, expected, got, poison, r->launch, &m) == 0 ||
        r->mismatch.present)
        return;
    r->mismatch = m;
    r->verdict = verdict_worse(r->verdict, VERDICT_WRONG_ANSWER);
    harness_describe(s, r);
}

void harness_judge_surround(const struct harness *s, uint64_t poison, unsigned reps,
                            struct case_result *r)
{
    long where;
    if (arena_surround_intact(&s->arena, poison, reps, &where))
        return;
    r->verdict = verdict_worse(r->verdict, VERDICT_WROTE_OUT_OF_BOUNDS);
    if (where < 0)
        snprintf(r->message, sizeof r->message, "wrote before the start of %s (%ld bytes)",
                 s->kernel->output_name, -where);
    else
        snprintf(r->message, sizeof r->message, "wrote past the end of %s", s->kernel->output_name);
}

static bool has_guards(const struct driver_process *x)
{
    return !launch_kind_has(x->spec.kind, KIND_DEVICE);
}

/* Mappings are judged only where a driver's were once seen as they should be, before a kernel ran:
 * a kernel of the system that shows them in another way is no student's fault. */
static void learn_guards(struct harness *s, const struct driver_process *x)
{
    if (has_guards(x) && !s->guards_show)
        s->guards_show = guards_look(x->leader, s->arena.out.fd) == GUARDS_INTACT;
}

/* Of a halted driver, after the runs of a case: a write beyond C that did not fault. */
static void judge_guards(const struct harness *s, const struct driver_process *x,
                         struct case_result *r)
{
    if (!has_guards(x) || !s->guards_show || r->verdict != VERDICT_PASS)
        return;
    enum guards g = guards_look(x->leader, s->arena.out.fd);
    const char *name = s->kernel->output_name;
    if (g == GUARDS_CHANGED)
        snprintf(r->message, sizeof r->message,
                 "changed the guard pages around %s: the %d KiB before and after it must stay "
                 "without access, so that a write there is seen; remove the mmap, mprotect or "
                 "munmap that reaches them",
                 name, PG_GUARD / 1024);
    else if (g == GUARDS_HIDDEN)
        snprintf(r->message, sizeof r->message,
                 "keeps the grader from looking at the guard pages around %s; remove the "
                 "prctl(PR_SET_DUMPABLE)",
                 name);
    else
        return;
    r->verdict = VERDICT_WROTE_OUT_OF_BOUNDS;
}

/* The driver stays awake for the computing that follows: to continue a halted one takes longer than
 * some kernels, and without the key the inputs are worth nothing to it. */
static void upload(struct harness *s, struct driver_process *x, unsigned reps, int64_t limit_ms,
                   struct outcome *o)
{
    struct timing t;
    const unsigned output = x == &s->yard ? 0 : PG_POISON;
    const struct request q = {.steps = PG_WAKE | PG_UPLOAD | output,
                              .reps = reps,
                              .rounds = 1,
                              .limit_ms = limit_ms,
                              .go_on = true};
    driver_run(x, &q, &t, o);
}

void harness_execute(struct harness *s, struct driver_process *x, unsigned reps, int64_t limit_ms,
                     int64_t copy_limit_ms, struct timing *t, struct outcome *o)
{
    struct request q = {.steps = PG_COMPUTE, .reps = reps, .rounds = 1, .limit_ms = limit_ms};
    *o = (struct outcome){0};
    if (driver_has_mirror(x)) {
        if (driver_masks(x))
            arena_mask(&s->arena);
        else
            arena_unmask(&s->arena);
        upload(s, x, reps, copy_limit_ms, o);
        q.steps |= PG_DOWNLOAD | (driver_masks(x) ? PG_UNMASK : 0);
        q.key = s->arena.key;
        q.limit_ms += copy_limit_ms;
    }
    if (o->kind == OUTCOME_OK)
        driver_run(x, &q, t, o);
}

void harness_yard_failed(struct outcome *o)
{
    char text[sizeof o->text];
    snprintf(text, sizeof text, "the yardstick failed while timing: %.400s", o->text);
    *o = (struct outcome){.kind =
                              o->kind == OUTCOME_STOPPED ? OUTCOME_STOPPED : OUTCOME_NOT_STARTED};
    memcpy(o->text, text, sizeof text);
}

/* What the yardstick makes of problem 0 of the case it has been given; NULL with *o filled. */
static const void *yard_expect(struct harness *s, struct outcome *o)
{
    struct timing t;
    harness_execute(s, &s->yard, 1, s->assignment->limits.unit_ms, s->assignment->limits.unit_ms,
                    &t, o);
    if (o->kind == OUTCOME_OK)
        return arena_yard_output(&s->arena, 0);
    harness_yard_failed(o);
    return NULL;
}

/* Where a device does the work, a host's product of the timed sizes would take minutes; the
 * yardstick's own has been compared with it once. */
static bool expected_by_yard(const struct harness *s, const struct test_case *c)
{
    return driver_has_device(&s->yard) && c->kind == CASE_PERFORMANCE;
}

static const void *host_answer(struct harness *s, const struct test_case *c, unsigned rep)
{
    const void *in[KERNEL_MAX_INPUTS];
    for (int i = 0; i < s->kernel->inputs; i++)
        in[i] = arena_input(&s->arena, i, rep);
    s->kernel->expect(c->shape, in, s->expected);
    return s->expected;
}

static void keep_first_failure(struct harness *s, const struct case_result *one, uint64_t run,
                               struct case_result *r)
{
    r->runs++;
    if (one->verdict == VERDICT_PASS)
        return;
    r->failed_runs++;
    if (r->verdict != VERDICT_PASS)
        return;
    s->failed_run = run;
    r->verdict = one->verdict;
    r->mismatch = one->mismatch;
    memcpy(r->message, one->message, sizeof r->message);
}

void harness_try(struct harness *s, struct driver_process *unit, const struct test_case *c,
                 uint64_t first_run, unsigned reps, uint64_t poison, struct case_result *r,
                 struct timing *t, struct outcome *o)
{
    const struct limits *l = &s->assignment->limits;
    const bool by_yard = expected_by_yard(s, c);
    const void *expected = NULL;
    arena_generate(&s->arena, c, first_run, reps);
    arena_poison(&s->arena, poison, reps);
    if (!by_yard && reps == 1) /* as long as the inputs are not masked */
        expected = host_answer(s, c, 0);
    harness_execute(s, unit, reps, l->case_ms * reps, l->unit_ms, t, o);
    for (unsigned i = 0; i < reps && o->kind == OUTCOME_OK; i++) {
        struct case_result one = {.launch = r->launch};
        if (by_yard)
            expected = yard_expect(s, o);
        else if (reps > 1)
            expected = host_answer(s, c, i);
        if (!expected)
            break;
        harness_judge(s, c, expected, arena_output(&s->arena, i), poison, &one);
        if (i + 1 == reps)
            harness_judge_surround(s, poison, reps, &one);
        keep_first_failure(s, &one, first_run + i, r);
    }
}

int harness_check(struct harness *s, struct driver_process *unit, const struct test_case *c,
                  uint64_t first_run, int runs, struct case_result *r, double *seconds,
                  struct outcome *o)
{
    struct err e = ERR_INIT;
    *o = (struct outcome){0};
    if (arena_layout(&s->arena, c->shape, 1, driver_has_device(unit), &e) != 0) {
        o->kind = OUTCOME_NOT_STARTED;
        snprintf(o->text, sizeof o->text, "%.500s", e.text);
        return -1;
    }
    if (expected_by_yard(s, c))
        driver_case(&s->yard, &s->arena, true, o);
    if (o->kind != OUTCOME_OK) {
        harness_yard_failed(o);
        return -1;
    }
    driver_case(unit, &s->arena, false, o);
    if (o->kind == OUTCOME_OK)
        learn_guards(s, unit);
    for (int i = 0; i < runs && o->kind == OUTCOME_OK; i++) {
        struct timing t = {0};
        harness_try(s, unit, c, first_run + (uint64_t)i, 1, harness_poison(), r, &t, o);
        if (seconds && o->kind == OUTCOME_OK)
            *seconds = t.seconds;
    }
    if (o->kind == OUTCOME_OK)
        judge_guards(s, unit, r);
    return o->kind == OUTCOME_OK ? 0 : -1;
}

bool harness_answers(struct harness *s)
{
    struct timing t;
    struct outcome o;
    const struct request q = {
        .steps = PG_WAKE, .rounds = 1, .limit_ms = s->assignment->limits.case_ms};
    driver_run(&s->yard, &q, &t, &o);
    return o.kind == OUTCOME_OK;
}

char *harness_refused(struct harness *s)
{
    struct driver_process another;
    struct outcome o;
    if (!driver_has_device(&s->yard))
        return NULL;
    driver_start(&another, &s->yard_spec, 0, &o);
    if (o.kind == OUTCOME_OK)
        driver_case(&another, &s->arena, false, &o);
    if (driver_alive(&another))
        driver_end(&another);
    return o.kind == OUTCOME_OK ? NULL : xstrdup(o.text);
}

int harness_profile(struct harness *s, struct driver_process *unit, const struct test_case *c,
                    struct unit_result *r, struct outcome *o)
{
    struct err e = ERR_INIT;
    struct timing t;
    const struct request q = {.steps = PG_UPLOAD | PG_COMPUTE | PG_DOWNLOAD | PG_PROFILE,
                              .reps = 1,
                              .rounds = 1,
                              .limit_ms = s->assignment->limits.unit_ms,
                              .profile = &r->profile};
    *o = (struct outcome){0};
    if (arena_layout(&s->arena, c->shape, 1, driver_has_device(unit), &e) != 0) {
        o->kind = OUTCOME_NOT_STARTED;
        snprintf(o->text, sizeof o->text, "%.500s", e.text);
        return -1;
    }
    r->profile.shape = c->shape;
    driver_case(unit, &s->arena, false, o);
    if (o->kind == OUTCOME_OK)
        driver_run(unit, &q, &t, o);
    return o->kind == OUTCOME_OK ? 0 : -1;
}

static int by_value(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

double harness_overhead_us(struct harness *s)
{
    double us[OVERHEAD_RUNS];
    struct outcome o;
    const struct request q = {
        .steps = PG_COMPUTE, .rounds = 1, .limit_ms = s->assignment->limits.case_ms};
    for (int i = 0; i < OVERHEAD_RUNS; i++) {
        struct timing t;
        driver_run(&s->yard, &q, &t, &o);
        if (o.kind != OUTCOME_OK)
            return 0;
        us[i] = t.seconds * 1e6;
    }
    qsort(us, OVERHEAD_RUNS, sizeof us[0], by_value);
    return us[OVERHEAD_RUNS / 2];
}
