#include "measure/harness_check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/plural.h"
#include "base/strbuf.h"
#include "kernel/element.h"
#include "kernel/outputs.h"
#include "measure/harness_steps.h"
#include "measure/small_problem.h"
#include "supervise/arena_parts.h"
#include "supervise/guards.h"

void finding_store(const struct finding *f, struct case_result *r)
{
    r->verdict = f->verdict;
    memcpy(r->message, f->message, sizeof r->message);
    r->mismatch = f->mismatch;
    r->runs = f->runs;
    r->failed_runs = f->failed_runs;
    r->failed_run = f->failed_run;
    r->cause = f->cause;
    r->accuracy = f->accuracy;
}

/* What is known of a failed case. */
struct told {
    const struct mismatch *mismatch;
    enum cause cause;
    int failed_runs, runs;
};

/* Which elements a race has reached is chance, and so is the number that the output held. "every
 * element" says no more than how many there are. */
static bool pattern_helps(const struct told *t)
{
    static const char all[] = "every element";
    return t->cause != CAUSE_RACE && t->cause != CAUSE_OLD_OUTPUT &&
           strncmp(t->mismatch->pattern, all, strlen(all)) != 0;
}

/* Before the mismatch or after its pattern: the share of runs tells how often a race shows. */
static void describe(const struct told *t, char *out, size_t cap)
{
    const struct mismatch *m = t->mismatch;
    char share[64] = "";
    if (t->cause == CAUSE_RACE)
        snprintf(share, sizeof share, "; %d of %d runs failed", t->failed_runs, t->runs);
    const bool first = t->cause == CAUSE_THREADS_LEFT, alone = first || t->cause == CAUSE_NONE;
    const bool both = !alone && pattern_helps(t), one_number = !strchr(m->element, '[');
    const char *pattern = alone || both ? m->pattern : "",
               *why = alone ? "" : cause_sentence(t->cause);
    char wrong[80] = "";
    if (!one_number)
        snprintf(wrong, sizeof wrong, "; %llu of %llu %s wrong", (unsigned long long)m->wrong,
                 (unsigned long long)m->total, plural(m->total, "element", "elements"));
    if (one_number && strncmp(pattern, "; ", 2) == 0)
        pattern += 2;
    if (!*m->expected && !*m->got) {
        snprintf(out, cap, "%s%s%s is not right%s%.350s%s%s%s",
                 first ? cause_sentence(t->cause) : "", first ? ". " : "", m->element,
                 *m->pattern ? ": " : "", m->pattern, *why ? "; " : "", why, share);
        return;
    }
    snprintf(out, cap, "%s%s%s: expected %s, got %s%s%s%.350s%s%s%s",
             first ? cause_sentence(t->cause) : "", first ? ". " : "", m->element, m->expected,
             m->got, wrong, *pattern || *why ? ": " : "", pattern, *pattern && *why ? "; " : "",
             why, share);
}

void finding_describe(struct finding *f)
{
    const struct told t = {&f->mismatch, f->cause, f->failed_runs, f->runs};
    describe(&t, f->message, sizeof f->message);
}

void finding_describe_case(struct case_result *r)
{
    const struct told t = {&r->mismatch, r->cause, r->failed_runs, r->runs};
    if (r->verdict == VERDICT_WRONG_ANSWER && r->mismatch.present) {
        describe(&t, r->message, sizeof r->message);
        return;
    }
    if (r->cause == CAUSE_NONE)
        return;
    /* How threads that are left end the process is chance, but for the place. */
    OWNED char *before = xstrdup(r->message);
    const char *place = strstr(before, "; in ");
    if (r->cause == CAUSE_THREADS_LEFT)
        snprintf(r->message, sizeof r->message, "%s%s", cause_sentence(r->cause),
                 place ? place : "");
    else
        snprintf(r->message, sizeof r->message, "%s. It failed so: %s", cause_sentence(r->cause),
                 before);
}

/* "u[1][1] (steps = 3)": numbers that the function gets by value differ from run to run. */
static void name_values(const struct kernel *k, const void *const in[], char name[ELEMENT_NAME])
{
    unsigned told = 0;
    for (int i = 0; i < k->inputs; i++) {
        if (!k->in[i].by_value)
            continue;
        char value[ELEMENT_TEXT];
        const size_t used = strlen(name);
        element_text(k->in[i].type, in[i], 0, value);
        snprintf(name + used, ELEMENT_NAME - used, "%s%s = %s", told++ ? ", " : " (", k->in[i].name,
                 value);
    }
    const size_t used = strlen(name);
    if (told)
        snprintf(name + used, ELEMENT_NAME - used, ")");
}

/* The same as the result of one rank. */
static void judge_one(struct harness *h, const struct judgement *j, unsigned rep,
                      const void *expected, int rank, struct finding *f, struct outcome *o)
{
    struct mismatch m;
    struct accuracy a;
    const void *in[KERNEL_MAX_INPUTS];
    harness_inputs(h, rep, in);
    const struct comparison c = {.shape = j->test_case->shape,
                                 .values = j->test_case->values,
                                 .in = in,
                                 .expected = expected,
                                 .got = arena_output(&h->arena, rep),
                                 .spread = j->spread,
                                 .least_spread = j->least_spread,
                                 .poison = j->poison,
                                 .launch = j->launch};
    const uint64_t wrong = harness_compare(h, &c, &m, &a, o);
    if (o->kind != OUTCOME_OK)
        return;
    f->accuracy.max = fmax(f->accuracy.max, a.max);
    f->accuracy.rms = fmax(f->accuracy.rms, a.rms);
    if (!wrong || f->mismatch.present)
        return;
    f->mismatch = m;
    if (rank) {
        char *name = f->mismatch.element;
        const size_t used = strlen(name);
        snprintf(name + used, sizeof f->mismatch.element - used, " on rank %d", rank);
    }
    name_values(h->kernel, in, f->mismatch.element);
    if (!h->numbers && !rank)
        h->numbers = small_problem_text(h->kernel, c.shape, in, expected, c.got);
    f->verdict = verdict_worse(f->verdict, VERDICT_WRONG_ANSWER);
    finding_describe(f);
}

void harness_judge(struct harness *h, const struct judgement *j, unsigned rep, const void *expected,
                   struct finding *f, struct outcome *o)
{
    judge_one(h, j, rep, expected, 0, f, o);
    for (int r = 1; r < h->arena.parts.ranks && o->kind == OUTCOME_OK && f->verdict == VERDICT_PASS;
         r++)
        if (arena_view(&h->arena, rep, r))
            judge_one(h, j, rep, expected, r, f, o);
}

void harness_judge_surround(const struct harness *h, uint64_t poison, unsigned reps,
                            struct finding *f)
{
    struct stray s;
    if (arena_surround_intact(&h->arena, poison, reps, &s))
        return;
    const char *name = kernel_output(h->kernel, s.output)->name;
    char rank[32] = "";
    if (s.rank >= 0)
        snprintf(rank, sizeof rank, " on rank %d", s.rank);
    f->verdict = verdict_worse(f->verdict, VERDICT_WROTE_OUT_OF_BOUNDS);
    if (s.where < 0)
        snprintf(f->message, sizeof f->message, "wrote before the start of %s (%ld %s)%s", name,
                 -s.where, plural((unsigned long)-s.where, "byte", "bytes"), rank);
    else
        snprintf(f->message, sizeof f->message, "wrote past the end of %s%s", name, rank);
}

void harness_judge_late(const struct harness *h, enum late late, struct finding *f)
{
    static const char *const words[] = {
        [LATE_AFTER_DONE] = "%s was still written after the driver had said that it was done",
        [LATE_IN_STREAM] =
            "%s was not finished when the work in the given stream was done: put all work into "
            "this stream, or join other streams into it (cudaEventRecord, cudaStreamWaitEvent)"};
    if (verdict_worse(f->verdict, VERDICT_CLOCK_MISMATCH) != VERDICT_CLOCK_MISMATCH)
        return;
    f->verdict = VERDICT_CLOCK_MISMATCH;
    f->mismatch = (struct mismatch){0};
    snprintf(f->message, sizeof f->message, words[late], h->kernel->out.name);
}

static int output_file(const struct harness *h, unsigned rank)
{
    return arena_is_divided(&h->arena) ? h->arena.parts.file[rank].out.fd : h->arena.out.fd;
}

/* Those of the leader, or the first others of a rank. */
static enum guards guards_of(const struct harness *h, const struct driver_process *d)
{
    enum guards g = guards_check(d->leader, output_file(h, 0));
    for (unsigned r = 1; d->spec.spread && r < d->rank_count && g == GUARDS_INTACT; r++)
        g = guards_check(d->rank_pid[r], output_file(h, r));
    return g;
}

/* The guard pages are judged only on nodes where they were once seen as they should be, before a
 * kernel ran. If the node's system shows mappings in another way, this is not the student's fault.
 */
static void learn_guards(struct harness *h, const struct driver_process *d)
{
    if (!h->guards_visible)
        h->guards_visible = guards_check(d->leader, output_file(h, 0)) == GUARDS_INTACT;
}

/* After the runs of a case, on a halted driver. This finds writes beyond C that caused no fault,
 * because the kernel made the guard pages writable. */
static void judge_guards(const struct harness *h, const struct driver_process *d, struct finding *f)
{
    if (!h->guards_visible || f->verdict != VERDICT_PASS)
        return;
    const enum guards g = guards_of(h, d);
    const char *name = h->kernel->out.name;
    if (g == GUARDS_CHANGED)
        snprintf(f->message, sizeof f->message,
                 "changed the guard pages around %s: the %d KiB before and after it must stay "
                 "without access, so that a write there is seen; remove the mmap, mprotect or "
                 "munmap that reaches them",
                 name, PG_GUARD / 1024);
    else if (g == GUARDS_HIDDEN)
        snprintf(f->message, sizeof f->message,
                 "keeps the grader from looking at the guard pages around %s; remove the "
                 "prctl(PR_SET_DUMPABLE)",
                 name);
    else
        return;
    f->verdict = VERDICT_WROTE_OUT_OF_BOUNDS;
}

/* Does the yardstick give the right answers of the performance cases? Where it runs on a device, or
 * where the right answer is slow, the host would need minutes for these sizes. The yardstick itself
 * has been checked once (yardstick.c). */
static bool yardstick_answers(const struct harness *h, const struct test_case *c)
{
    return c->kind == CASE_PERFORMANCE && !h->kernel->file &&
           (h->yardstick.computes == ON_DEVICE || h->kernel->certify);
}

/* The yardstick's output for problem 0 of the current case; NULL with *o on failure. */
static const void *yardstick_answer(struct harness *h, struct outcome *o)
{
    struct timing t;
    const int64_t limit_ms = h->assignment->limits.unit_ms;
    const struct execution x = {1, limit_ms, limit_ms};
    harness_execute(h, &h->yardstick, &x, &t, o);
    if (o->kind == OUTCOME_OK)
        return arena_yard_output(&h->arena, 0);
    harness_own_driver_failed(o);
    return NULL;
}

static void add_run(struct finding *f, const struct finding *one, uint64_t run)
{
    f->runs++;
    f->accuracy.max = fmax(f->accuracy.max, one->accuracy.max);
    f->accuracy.rms = fmax(f->accuracy.rms, one->accuracy.rms);
    if (one->verdict == VERDICT_PASS)
        return;
    f->failed_runs++;
    if (f->verdict != VERDICT_PASS)
        return;
    f->failed_run = run;
    f->verdict = one->verdict;
    f->mismatch = one->mismatch;
    memcpy(f->message, one->message, sizeof f->message);
}

void harness_run_batch(struct harness *h, const struct batch *b, struct finding *f,
                       struct timing *t, struct outcome *o)
{
    const struct limits *limits = &h->assignment->limits;
    const struct execution x = {b->reps, harness_batch_limit(h->case_ms, b->reps, f->seconds),
                                limits->unit_ms};
    struct judgement j = {b->test_case, b->driver->spec.launch, b->poison, NULL, 0};
    const bool by_yardstick = yardstick_answers(h, b->test_case);
    const void *expected = NULL;
    bool wrong = false;
    if (harness_generate(h, b->test_case, b->first_run, b->reps, o) != 0)
        return;
    arena_poison(&h->arena, b->poison, b->reps);
    if (h->stepped)
        harness_steps(h, b, &x, t, o);
    else
        harness_execute(h, b->driver, &x, t, o);
    if (h->kernel->file && o->kind == OUTCOME_OK)
        harness_trusted_answers(h, b->test_case, b->reps, o);
    for (unsigned i = 0; i < b->reps && o->kind == OUTCOME_OK; i++) {
        struct finding one = FINDING_INIT;
        if (h->kernel->file)
            expected = arena_yard_output(&h->arena, i);
        else if (by_yardstick)
            expected = yardstick_answer(h, o);
        else
            expected = harness_host_answer(h, b->test_case->shape, i);
        j.spread = answers_spread(&h->answers, &h->arena, i);
        if (!expected)
            break;
        harness_judge(h, &j, i, expected, &one, o);
        if (o->kind != OUTCOME_OK)
            break;
        if (i + 1 == b->reps)
            harness_judge_surround(h, b->poison, b->reps, &one);
        if (i + 1 == b->reps && t->unordered)
            harness_judge_late(h, LATE_IN_STREAM, &one);
        add_run(f, &one, b->first_run + i);
        wrong = wrong || one.verdict == VERDICT_WRONG_ANSWER;
    }
    if (h->kernel->file && wrong && o->kind == OUTCOME_OK)
        harness_repeat_answers(h, b->test_case, b->reps, o);
}

int harness_check(struct harness *h, const struct check_task *task, struct finding *f,
                  struct outcome *o)
{
    const struct test_case *c = task->test_case;
    const bool guarded = task->driver->computes == ON_CORES;
    if (harness_lay_out(h, c->shape, 1, task->driver->computes, o) != 0)
        return -1;
    if (yardstick_answers(h, c))
        driver_case(&h->yardstick, &h->arena, true, o);
    if (o->kind != OUTCOME_OK) {
        harness_own_driver_failed(o);
        return -1;
    }
    driver_case(task->driver, &h->arena, false, o);
    if (o->kind == OUTCOME_OK && guarded)
        learn_guards(h, task->driver);
    const unsigned unread = h->checks.unread;
    for (int i = 0; i < task->runs && o->kind == OUTCOME_OK && h->checks.unread == unread &&
                    (!task->failures || f->failed_runs < task->failures);
         i++) {
        struct timing t = {0};
        const struct batch b = {task->driver, c, task->first_run + (uint64_t)i, 1,
                                harness_poison(h)};
        harness_run_batch(h, &b, f, &t, o);
        if (o->kind == OUTCOME_OK)
            f->seconds = t.seconds;
    }
    if (o->kind != OUTCOME_OK)
        return -1;
    if (guarded)
        judge_guards(h, task->driver, f);
    return 0;
}
