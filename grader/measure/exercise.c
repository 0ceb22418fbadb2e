#include "measure/exercise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "build/sanitizer_preload.h"
#include "build/trusted.h"
#include "kernel/element.h"
#include "kernel/outputs.h"
#include "supervise/driver_limits.h"
#include "supervise/driver_program.h"
#include "supervise/driver_run.h"
#include "supervise/driver_start.h"

/* What local variables hold until they are set is the difference of the two. */
#define SANITIZED                                                                                  \
    "-O0", "-g", "-fno-omit-frame-pointer", "-fsanitize=address,undefined",                        \
        "-fno-sanitize-address-use-after-scope", "-Wl,-Bsymbolic"

static const struct program {
    const char *name;
    enum trusted_part part;
    enum exercise_check check;
    enum looking looking;
    const char *words[10];
} programs[] = {
    [PROGRAM_TRUSTED] = {"trusted", TRUSTED_SOURCE, EXERCISE_RUNS, LOOKING_NOT, {NULL}},
    [PROGRAM_AGAIN] = {"again", TRUSTED_SOURCE, EXERCISE_RUNS, LOOKING_NOT, {NULL}},
    [PROGRAM_SECOND] = {"second", TRUSTED_SECOND, EXERCISE_SECOND, LOOKING_NOT, {NULL}},
    [PROGRAM_FILLED] = {"filled",
                        TRUSTED_SOURCE,
                        EXERCISE_MEMORY,
                        LOOKING_FILLED,
                        {SANITIZED, "-ftrivial-auto-var-init=pattern"}},
    [PROGRAM_ZEROED] = {"zeroed",
                        TRUSTED_SOURCE,
                        EXERCISE_MEMORY,
                        LOOKING_ZEROED,
                        {SANITIZED, "-ftrivial-auto-var-init=zero"}},
    [PROGRAM_MISTAKE] = {"mistake", TRUSTED_MISTAKE, EXERCISE_MISTAKES, LOOKING_NOT, {NULL}},
};

static const struct program *program_of(enum exercise_program p)
{
    return &programs[p < PROGRAM_MISTAKE ? p : PROGRAM_MISTAKE];
}

/* NULL: the exercise has no such source. */
static const char *source_of(const struct kernel_file *f, enum exercise_program p)
{
    if (p >= PROGRAM_MISTAKE)
        return f->mistake[p - PROGRAM_MISTAKE].source;
    return p == PROGRAM_SECOND ? f->second : f->trusted;
}

/* --- programs --------------------------------------------------------------------------------- */

static int build(struct exercise *x, enum exercise_program p, struct err *e)
{
    const struct program *how = program_of(p);
    struct exercise_process *made = &x->program[p];
    const struct trusted_job job = {.file = x->file,
                                    .part = how->part,
                                    .source = source_of(x->file, p),
                                    .sources = x->sources,
                                    .limits = &x->limits,
                                    .sandbox = &x->sandbox,
                                    .dir = made->dir,
                                    .appended = how->words[0] ? (char *const *)(uintptr_t)how->words
                                                              : NULL};
    if (trusted_build(&job, &made->library, e) != 0)
        return -1;
    made->preload = how->looking ? sanitizer_preload(made->library) : NULL;
    if (!how->looking || made->preload)
        return 0;
    free(made->library);
    made->library = NULL;
    return err_system(e, "the compiler has no AddressSanitizer that can be loaded");
}

static void build_program(struct exercise *x, enum exercise_program p)
{
    const bool sanitized = program_of(p)->looking != LOOKING_NOT;
    struct err e = ERR_INIT;
    x->program[p].dir = xasprintf("%s/%s%d", x->scratch.dir, program_of(p)->name, (int)p);
    if (p == PROGRAM_AGAIN && x->program[PROGRAM_TRUSTED].library)
        x->program[p].library = xstrdup(x->program[PROGRAM_TRUSTED].library);
    if (p == PROGRAM_AGAIN || !source_of(x->file, p) ||
        (p != PROGRAM_TRUSTED && !x->program[PROGRAM_TRUSTED].library) ||
        (p == PROGRAM_ZEROED && !x->program[PROGRAM_FILLED].library))
        return;
    if (build(x, p, &e) != 0)
        exercise_report_add(&x->report, program_of(p)->check,
                            sanitized ? EXERCISE_NOTE : EXERCISE_WRONG, "%s%s",
                            sanitized ? "not looked at: " : "", e.text);
}

static struct driver_spec spec_of(struct exercise *x)
{
    return (struct driver_spec){.kind = LAUNCH_CPU,
                                .launch = {1, 1},
                                .program = x->driver,
                                .own = true,
                                .scratch = x->scratch.dir,
                                .limits = &x->limits,
                                .sandbox = &x->sandbox,
                                .supervisor = &x->supervisor};
}

static void specify(struct exercise *x, enum exercise_program p)
{
    struct exercise_process *q = &x->program[p];
    q->driver = (struct driver_process)DRIVER_PROCESS_INIT;
    q->spec = spec_of(x);
    q->spec.library = q->library;
    q->spec.looking = program_of(p)->looking;
    q->spec.preload = q->preload;
    q->spec.function = x->kernel->function;
}

/* What does not start is in the report. */
static int start_helper(struct exercise *x, struct helper_process *h, enum exercise_check check,
                        const struct shape *shapes, size_t n, struct err *e)
{
    const struct kernel_file *f = x->file;
    const bool checks = check == EXERCISE_CHECK;
    struct driver_spec spec = spec_of(x);
    struct err why = ERR_INIT;
    spec.library = checks ? x->check_library : x->maker_library;
    if (!spec.library)
        return 0;
    if (helper_open(h, checks ? &f->checker : &f->making, shapes, n, e) != 0)
        return -1;
    if (helper_start(h, &spec, checks ? "the check of the exercise" : "the source of values",
                     &why) != 0) {
        exercise_report_add(&x->report, check, EXERCISE_WRONG, "%s", why.text);
        helper_close(h);
    }
    return 0;
}

static void build_helper(struct exercise *x, enum trusted_part part, const char *source,
                         char **library)
{
    static const char *const names[] = {[TRUSTED_CHECK] = "check", [TRUSTED_VALUES] = "values"};
    OWNED char *dir = xasprintf("%s/%s", x->scratch.dir, names[part]);
    const struct trusted_job job = {.file = x->file,
                                    .part = part,
                                    .source = source,
                                    .sources = x->sources,
                                    .limits = &x->limits,
                                    .sandbox = &x->sandbox,
                                    .dir = dir};
    struct err e = ERR_INIT;
    if (source && trusted_build(&job, library, &e) != 0)
        exercise_report_add(&x->report, part == TRUSTED_CHECK ? EXERCISE_CHECK : EXERCISE_VALUES,
                            EXERCISE_WRONG, "%s", e.text);
}

/* --- room ------------------------------------------------------------------------------------- */

/* Results of types with few bits are rounded a lot, where sums are long. */
#define MUCH_ROUNDED 1e-9

static bool is_much_rounded(const struct exercise *x, const struct test_case *c)
{
    bool much = false;
    for (int i = 0; i < kernel_outputs(x->kernel); i++) {
        const enum element_type t = kernel_output(x->kernel, i)->type;
        much = much || (type_is_rounded(t) && type_roundoff(t) > MUCH_ROUNDED &&
                        x->file->rule[i].how == RULE_AUTO);
    }
    return much && !kernel_values_exact(x->kernel, c->values) &&
           kernel_takes(x->kernel, c->shape, NULL) == 0;
}

static void find_largest(struct exercise *x)
{
    for (size_t i = 0; i < x->cases.count; i++) {
        const struct test_case *c = &x->cases.item[i];
        if (c->kind != CASE_PERFORMANCE || !is_much_rounded(x, c) ||
            (x->has_largest &&
             kernel_work(x->kernel, c->shape) <= kernel_work(x->kernel, x->largest.shape)))
            continue;
        x->largest = *c;
        x->has_largest = true;
    }
}

/* Timed sizes are left out, but for one: they are slow, and they have the same values. */
static void make_cases(struct exercise *x)
{
    size_t n = 0;
    cases_make(x->assignment, x->assignment->seed, &x->cases);
    find_largest(x);
    for (size_t i = 0; i < x->cases.count; i++)
        if (x->cases.item[i].kind != CASE_PERFORMANCE &&
            kernel_takes(x->kernel, x->cases.item[i].shape, NULL) == 0)
            x->cases.item[n++] = x->cases.item[i];
    x->cases.count = n;
}

static int make_arena(struct exercise *x, struct err *e)
{
    size_t n = x->cases.count + (size_t)x->file->examples;
    OWNED struct shape *shapes = xcalloc(n + 1, sizeof *shapes);
    for (size_t i = 0; i < x->cases.count; i++)
        shapes[i] = x->cases.item[i].shape;
    for (int i = 0; i < x->file->examples; i++)
        shapes[x->cases.count + (size_t)i] = x->file->example[i].shape;
    if (x->has_largest)
        shapes[n++] = x->largest.shape;
    int rc = arena_create(&x->arena, x->kernel, shapes, n, (struct matrix_pool){1, 1, 1}, e);
    if (rc == 0)
        rc = start_helper(x, &x->checks.process, EXERCISE_CHECK, shapes, n, e);
    if (rc == 0)
        rc = start_helper(x, &x->maker.process, EXERCISE_VALUES, shapes, n, e);
    if (rc == 0 && x->maker.process.kernel)
        rc = start_helper(x, &x->maker_again.process, EXERCISE_VALUES, shapes, n, e);
    return rc;
}

static char *directory_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? xasprintf("%.*s", (int)(slash - path), path) : xstrdup(".");
}

int exercise_open(struct exercise *x, const struct assignment *a, struct err *e)
{
    *x = (struct exercise){.assignment = a,
                           .kernel = &a->kernel_file->kernel,
                           .file = a->kernel_file,
                           .limits = a->limits,
                           .scratch = {.lock = -1, .shm_lock = -1}};
    x->sources = directory_of(x->file->path);
    x->driver = driver_program(LAUNCH_CPU);
    sandbox_policy_keep(&x->sandbox);
    make_cases(x);
    if (scratch_create(&x->scratch, e) != 0)
        return -1;
    for (int p = 0; p < PROGRAMS; p++) {
        build_program(x, (enum exercise_program)p);
        specify(x, (enum exercise_program)p);
    }
    build_helper(x, TRUSTED_CHECK, x->file->check, &x->check_library);
    build_helper(x, TRUSTED_VALUES, x->file->maker, &x->maker_library);
    return make_arena(x, e);
}

void exercise_close(struct exercise *x)
{
    for (int p = 0; p < PROGRAMS; p++) {
        if (driver_alive(&x->program[p].driver))
            driver_end(&x->program[p].driver);
        free(x->program[p].library);
        free(x->program[p].preload);
        free(x->program[p].dir);
    }
    helper_close(&x->checks.process);
    helper_close(&x->maker.process);
    helper_close(&x->maker_again.process);
    free(x->check_library);
    free(x->maker_library);
    if (x->arena.kernel)
        arena_destroy(&x->arena);
    if (x->scratch.dir)
        scratch_remove(&x->scratch);
    supervisor_free(&x->supervisor);
    sandbox_policy_free(&x->sandbox);
    case_list_free(&x->cases);
    exercise_report_free(&x->report);
    free(x->driver);
    free(x->sources);
}

/* --- runs ------------------------------------------------------------------------------------- */

int exercise_lay_out(struct exercise *x, struct shape s, struct err *e)
{
    x->layout++;
    x->shape = s;
    return arena_layout(&x->arena, s, 1, ON_CORES, e);
}

bool exercise_generate(struct exercise *x, const struct test_case *c, uint64_t run,
                       struct outcome *o)
{
    arena_generate(&x->arena, c, run, 1);
    return maker_fill(&x->maker, &x->arena, c, run, o) == 0;
}

int exercise_run(struct exercise *x, enum exercise_program p, uint64_t poison,
                 enum pg_rounding rounding, struct outcome *o)
{
    struct exercise_process *q = &x->program[p];
    struct timing t;
    const struct request request = {.steps = PG_COMPUTE,
                                    .reps = 1,
                                    .rounds = 1,
                                    .limit_ms = x->limits.case_ms,
                                    .sets = x->arena.sets,
                                    .pairing = x->arena.pairing,
                                    .rounding = rounding};
    *o = (struct outcome){0};
    if (!driver_alive(&q->driver)) {
        driver_start(&q->driver, &q->spec, 0, o);
        q->layout = 0;
    }
    arena_poison(&x->arena, poison, 1);
    if (o->kind == OUTCOME_OK && q->layout != x->layout)
        driver_case(&q->driver, &x->arena, false, o);
    q->layout = x->layout;
    if (o->kind == OUTCOME_OK)
        driver_run(&q->driver, &request, &t, o);
    if (driver_alive(&q->driver))
        driver_await_output(&q->driver);
    q->late |= o->kind == OUTCOME_CASE_TIMEOUT;
    return o->kind == OUTCOME_OK ? 0 : -1;
}

void exercise_end(struct exercise *x, enum exercise_program p)
{
    if (driver_alive(&x->program[p].driver))
        driver_end(&x->program[p].driver);
}

const char *exercise_why(const struct exercise *x, const struct outcome *o, char *out, size_t cap)
{
    char message[512];
    outcome_verdict(o, x->kernel, &x->limits, message, sizeof message);
    snprintf(out, cap, "%s", message[0] ? message : o->text[0] ? o->text : "it failed");
    return out;
}

char *exercise_case_name(const struct exercise *x, const struct test_case *c)
{
    struct strbuf s = STRBUF_INIT;
    strbuf_addf(&s, "case %d (", c->index);
    for (int d = 0; d < x->kernel->dims; d++)
        strbuf_addf(&s, "%s = %d, ", x->kernel->dim_name[d], c->shape.dim[d]);
    strbuf_addf(&s, "%s values)", kernel_values_name(x->kernel, c->values));
    return strbuf_detach(&s);
}
