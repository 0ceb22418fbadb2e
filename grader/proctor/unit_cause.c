/*
 * The oracle of model/cause.h. Every trial has a new driver, so that nothing is left of earlier
 * calls.
 */
#include "proctor/unit_cause.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/install.h"
#include "base/random.h"
#include "base/strbuf.h"
#include "build/imports.h"
#include "measure/harness_again.h"
#include "proctor/fault.h"
#include "proctor/unit_driver.h"
#include "proctor/unit_launches.h"
#include "proctor/unit_right.h"
#include "rundir/stage.h"
#include "supervise/calls_explain.h"
#include "supervise/driver_start.h"
#include "supervise/driver_waits.h"
#include "supervise/last_words.h"
#include "supervise/outcome.h"

/* For all trials of a kind, and no more than this part of what is left of the unit's time; for one
 * call. */
enum { ALL_MS = 6000, PART = 4, CALL_MS = 2000 };

struct inquiry {
    const struct unit_job *job;
    struct unit_state *s;
    const struct unit_result *r;
    const struct case_result *failed;
    const struct test_case *test_case, *largest;
    struct launch_task launch; /* under which it failed */
    uint64_t random;           /* makes the poison, the same one in all trials of a kind */
    uint64_t until;            /* CLOCK_MONOTONIC ns */
    /* Libraries for LD_PRELOAD: tasks run where they are created; new threads begin late. */
    char *at_once, *late_threads;
    char misuse[400];          /* of MPI, that a trial has shown; "" for none */
    char names[24];            /* PG_ENV_CALLS */
    struct driver_calls calls; /* of the newest trial that notes them */
};

/* The end of trials that begin now. */
static uint64_t until(const struct unit_state *s)
{
    const uint64_t now = clock_mono_ns(), most = (uint64_t)ALL_MS * 1000000;
    const uint64_t left = s->deadline > now ? (s->deadline - now) / PART : 0;
    return now + (left < most ? left : most);
}

static const struct test_case *case_of(const struct inquiry *q, const struct cause_trial *t)
{
    return t->largest ? q->largest : q->test_case;
}

/* A new driver for a trial. 0, or -1 with *o. */
static int start(struct inquiry *q, const struct cause_trial *t, struct outcome *o)
{
    struct unit_state *s = q->s;
    snprintf(q->names, sizeof q->names, "%u %u", t->instead_of, t->instead);
    if (driver_alive(&s->driver))
        driver_end(&s->driver);
    s->spec.calls = t->calls ? q->names : NULL;
    s->spec.launch = t->one_worker ? launch_here(1, 1) : q->failed->launch;
    s->spec.fill = t->fill;
    s->spec.preload = t->tasks_at_once ? q->at_once : t->late_threads ? q->late_threads : NULL;
    unit_driver_start(q->job, s, o);
    return o->kind == OUTCOME_OK ? 0 : -1;
}

/* The cases before the failed one, as when it failed: who has lost its driver gets another one. */
static int run_before(struct inquiry *q, const struct cause_trial *t, struct outcome *o)
{
    const struct node_context *n = q->job->node;
    for (size_t i = 0; i < n->run.cases.count && n->run.cases.item[i].index < q->test_case->index;
         i++) {
        const struct test_case *c = &n->run.cases.item[i];
        const struct check_task task = {&q->s->driver, c, q->launch.first_run, q->launch.runs, 0};
        struct finding f = FINDING_INIT;
        if (clock_mono_ns() >= q->until)
            return -1;
        if (case_is_checked(n->run.assignment, q->job->tier, c) &&
            harness_check(q->job->harness, &task, &f, o) != 0 && start(q, t, o) != 0)
            return -1;
    }
    return 0;
}

/* The same, and what it shows. */
static void run(struct inquiry *q, const struct cause_trial *t, struct cause_seen *seen)
{
    struct harness *h = q->job->harness;
    struct driver_process *d = &q->s->driver;
    const struct test_case *c = case_of(q, t);
    const struct batch b = {.driver = d,
                            .test_case = c,
                            .first_run = t->largest || q->failed->failed_run == RUN_UNKNOWN
                                             ? q->launch.first_run
                                             : q->failed->failed_run,
                            .reps = 1,
                            .poison = kernel_poison_of(h->kernel, t->poison, q->random)};
    struct finding f = FINDING_INIT;
    struct outcome o = {0};
    struct again a = {0};
    if (start(q, t, &o) != 0 || (t->before && run_before(q, t, &o) != 0))
        return;
    h->arena.zeros_around = t->zeros_around;
    const bool lost = harness_again(h, &b, t->runs, 0, &a, &f, &o) != 0;
    h->arena.zeros_around = false;
    if (!*q->misuse)
        driver_waits_misuse(d, q->misuse, sizeof q->misuse);
    if (t->calls)
        driver_calls_read(d, &q->calls);
    if (lost) {
        struct unexplained_end end = {.before = UNEXPLAINED_ENDS_RETRIED};
        const struct lost_driver driver = {.driver = d, .outcome = &o, .alone = true};
        char ignored[sizeof f.message];
        if (fault_attribute(h, &driver, &end, ignored, sizeof ignored) == VERDICT_INFRA_ERROR)
            return;
    }
    seen->known = true;
    seen->first_wrong = a.first_wrong || (lost && !a.runs);
    seen->wrong = a.wrong + (lost ? t->runs - a.runs : 0);
    if (a.different)
        memcpy(&seen->output, a.wrongs[0], sizeof seen->output);
    seen->steady = a.different == 1;
    if (t->largest && a.wrong && !lost)
        seen->changed = harness_changes_later(h, d, h->arena.out_bytes);
}

static void ask(void *with, const struct cause_trial *t, struct cause_seen *seen)
{
    struct inquiry *q = with;
    if (clock_mono_ns() >= q->until)
        return;
    run(q, t, seen);
    /* One case may be right by chance, such as a sum that is also the largest part. */
    if (t->instead_of && seen->known && !seen->wrong) {
        driver_end(&q->s->driver);
        seen->wrong = !unit_right_now(q->job, q->s, q->r, NULL);
    }
    q->s->spec.calls = NULL;
}

static void remark_calls(struct inquiry *q, const struct cause_question *question, enum cause cause,
                         struct unit_result *r)
{
    const bool unset = cause == CAUSE_UNSET_MEMORY || cause == CAUSE_UNSET_PART;
    if (!launch_kind_has(q->job->tier->kind, KIND_RANKS) || q->failed->launch.ranks < 2 ||
        *q->misuse || (cause != CAUSE_NONE && !unset))
        return;
    q->until = until(q->s);
    OWNED char *said = calls_explain(question, q->job->tier->kernel, unset, &q->calls);
    if (said)
        unit_result_remark(r, "%s", said);
}

/* The largest case that the tier is checked with. */
static const struct test_case *largest_case(const struct unit_job *job)
{
    const struct node_context *n = job->node;
    const struct test_case *largest = NULL;
    for (size_t i = 0; i < n->run.cases.count; i++) {
        const struct test_case *c = &n->run.cases.item[i];
        if (case_is_checked(n->run.assignment, job->tier, c) &&
            (!largest || kernel_work(job->tier->kernel, c->shape) >
                             kernel_work(job->tier->kernel, largest->shape)))
            largest = c;
    }
    return largest;
}

/* Other cases that were called a race have the same cause, but were not tried: they keep their
 * patterns. */
static void record(struct unit_result *r, struct case_result *failed, enum cause cause)
{
    for (unsigned i = 0; i < r->cases_count && cause != CAUSE_RACE; i++) {
        struct case_result *c = &r->cases[i];
        if (c->cause == CAUSE_NONE)
            continue;
        c->cause = CAUSE_NONE;
        finding_describe_case(c);
    }
    if (failed->cause == cause)
        return;
    failed->cause = cause;
    finding_describe_case(failed);
}

bool unit_cause_is_sought(const struct unit_job *job, const struct case_result *failed)
{
    /* A class without times is a rehearsal. */
    const struct node_context *n = job->node;
    return failed && job->selection->case_index < 0 &&
           !(n->run.assignment->only.untimed && !n->run.plan->self_test) &&
           n->run.cases.item[failed->case_index].kind != CASE_PERFORMANCE;
}

void unit_cause_find(const struct unit_job *job, struct unit_state *s, struct unit_result *r)
{
    const struct case_result *first = unit_result_first_failure(r);
    struct case_result *failed = first ? &r->cases[first - r->cases] : NULL;
    const uint64_t now = clock_mono_ns();
    const enum launch_kind kind = job->tier->kind;
    if (!unit_cause_is_sought(job, failed) || now >= s->deadline ||
        launch_kind_has(kind, KIND_DEVICE) || failed->cause == CAUSE_REQUESTS_LEFT ||
        strstr(failed->message, OUTCOME_MISALIGNED) ||
        (r->verdict != VERDICT_WRONG_ANSWER && r->verdict != VERDICT_CRASH &&
         r->verdict != VERDICT_WROTE_OUT_OF_BOUNDS))
        return;
    struct inquiry q = {.job = job,
                        .s = s,
                        .r = r,
                        .failed = failed,
                        .test_case = &job->node->run.cases.item[failed->case_index],
                        .largest = largest_case(job),
                        .launch = unit_launches_task_of(job, failed),
                        .random = harness_poison(job->harness),
                        .until = until(s)};
    const struct cause_question question = {.unsteady = failed->cause == CAUSE_RACE,
                                            .threads = launch_kind_has(kind, KIND_THREADS) &&
                                                       !launch_kind_has(kind, KIND_RANKS),
                                            .nan = strstr(failed->mismatch.got, "nan") != NULL,
                                            .heap = strstr(failed->message, LAST_WORDS_HEAP),
                                            .workers = launch_workers(failed->launch),
                                            .oracle = {ask, &q}};
    stage_enter("looking for the cause of a failure");
    s->spec.cpus = job->harness->cores.id;
    s->spec.cpu_count = job->harness->cores.count;
    const int64_t case_ms = job->harness->case_ms;
    if (job->harness->case_ms > CALL_MS)
        job->harness->case_ms = CALL_MS;
    q.at_once = install_path("libexec/paragrade/tasks-at-once.so");
    q.late_threads = install_path("libexec/paragrade/late-threads.so");
    const enum cause cause = cause_find(&question);
    const bool tasks = question.threads && imports_tasks(s->spec.library);
    if (tasks && cause != CAUSE_THREADS_LEFT && cause_is_of_tasks(&question))
        unit_result_remark(r,
                           "if each task of OpenMP runs where it is created, the result is right: "
                           "where is `taskwait`, `depend` or `atomic` missing?");
    remark_calls(&q, &question, cause, r);
    free(q.at_once);
    free(q.late_threads);
    s->spec.preload = NULL;
    job->harness->case_ms = case_ms;
    s->spec.fill = job->selection->fill;
    if (driver_alive(&s->driver))
        driver_end(&s->driver);
    record(r, failed, cause);
    if (*q.misuse)
        unit_result_remark(r, "%s", q.misuse);
}
