/*
 * The oracle of model/smallest.h is a driver of the unit. It is replaced when it is lost, and when
 * a candidate has other ranks or threads.
 */
#include "proctor/unit_smallest.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/digest.h"
#include "measure/harness_race.h"
#include "model/smallest.h"
#include "proctor/crash_line.h"
#include "proctor/fault.h"
#include "proctor/unit_cause.h"
#include "proctor/unit_driver.h"
#include "proctor/unit_left_over.h"
#include "rundir/stage.h"
#include "supervise/driver_start.h"

/* Runs of a candidate, each with other values; of the first one, which must fail again. */
enum { RUNS = 3, RUNS_FIRST = 20 };

/* Of a candidate that may show a race: as many as usually show it, between these limits. */
enum { RACE_RUNS = 40, RACE_RUNS_MOST = 1000 };

/* The smallest launches are tried with small shapes, so that a call takes milliseconds. A candidate
 * that takes longer has another mistake. After so many of these, the search ends. */
enum { CALL_MS = 2000, TIMEOUTS_MOST = 2 };

/* Where ranks wait for each other, every case that fails takes this long, and all together may take
 * no longer than that. */
enum { HANG_MS = 1000, HANGS_MS = 3000 };

/* To run the smallest case once more. */
#define CONFIRM_NS UINT64_C(2000000000)

struct seeker {
    const struct unit_job *job;
    struct unit_state *s;
    enum verdict wanted; /* how the unit failed; another failure is another mistake */
    struct test_case test_case;
    int runs;         /* of each candidate */
    enum cause cause; /* of the case from which the search starts */
    bool race;        /* it need not fail in each run */
    uint64_t until;   /* CLOCK_MONOTONIC ns */
    int tried, timeouts;
    const struct unit_result *r;
    struct launch failed;          /* of the case from which the search starts */
    struct smallest_result *found; /* the last candidate that failed */
};

/* A driver with the launch of the candidate; a new one, where what earlier calls have left is the
 * mistake. 0, or -1 with *o. */
static int ensure(const struct seeker *k, struct launch l, struct outcome *o)
{
    struct unit_state *s = k->s;
    const bool old = k->cause != CAUSE_LATER_CALLS && k->cause != CAUSE_EARLIER_CALLS;
    if (driver_alive(&s->driver) && launch_equal(s->spec.launch, l) && old)
        return 0;
    if (driver_alive(&s->driver))
        driver_end(&s->driver);
    s->spec.launch = l;
    unit_driver_start(k->job, s, o);
    return o->kind == OUTCOME_OK ? 0 : -1;
}

/* One by one, then, for a race, back to back. */
static int run(const struct seeker *k, struct finding *f, struct outcome *o)
{
    struct unit_state *s = k->s;
    const struct test_case *c = &k->test_case;
    const bool race = k->race && s->spec.launch.threads > 1;
    const struct check_task check = {&s->driver, c, 0, race ? RUNS : k->runs, 0};
    const struct race_task more = {
        .driver = &s->driver, .test_case = c, .first_run = 0, .most = k->runs};
    if (harness_check(k->job->harness, &check, f, o) != 0)
        return -1;
    if (!race || f->verdict != VERDICT_PASS)
        return 0;
    return harness_race_search(k->job->harness, &more, f, o);
}

/* The driver is lost: through the candidate, or through the node? */
static enum small_answer lost(struct seeker *k, struct finding *f, const struct outcome *o)
{
    struct unexplained_end end = {.before = UNEXPLAINED_ENDS_RETRIED};
    const struct lost_driver driver = {.driver = &k->s->driver, .outcome = o, .alone = true};
    f->verdict = fault_attribute(k->job->harness, &driver, &end, f->message, sizeof f->message);
    if (o->kind == OUTCOME_CASE_TIMEOUT && (k->wanted != VERDICT_TIMEOUT || !o->waits[0]))
        return ++k->timeouts < TIMEOUTS_MOST ? SMALL_PASSES : SMALL_STOP;
    if (o->kind == OUTCOME_UNIT_TIMEOUT || o->kind == OUTCOME_LOAD_FAILED ||
        f->verdict == VERDICT_INFRA_ERROR)
        return SMALL_STOP;
    if (f->verdict != k->wanted)
        return SMALL_PASSES;
    if (f->verdict == VERDICT_TIMEOUT)
        snprintf(f->message, sizeof f->message, "%s", o->waits);
    crash_line_add(k->job, k->s, o, f->message, sizeof f->message);
    f->runs++;
    f->failed_runs++;
    return SMALL_FAILS;
}

static void keep(const struct seeker *k, const struct small_case *c, struct finding *f)
{
    struct smallest_result *r = k->found;
    /* Which elements a race hits is chance, also where they look like those of one thread. */
    f->cause = k->cause;
    unit_left_over_correct(k->job, k->r, k->failed, &f->mismatch);
    if (f->mismatch.present && f->verdict == VERDICT_WRONG_ANSWER)
        finding_describe(f);
    r->present = true;
    r->shape = c->shape;
    snprintf(r->values, sizeof r->values, "%s",
             kernel_values_name(k->job->tier->kernel, c->values));
    r->launch = c->launch;
    r->seed = k->test_case.seed;
    r->verdict = f->verdict;
    memcpy(r->message, f->message, sizeof r->message);
    r->runs = f->runs;
    /* Damaged guard pages are seen after all runs. No single run is known to have failed. */
    r->failed_runs = f->failed_runs ? f->failed_runs : f->runs;
}

static enum small_answer ask(void *with, const struct small_case *c)
{
    struct seeker *k = with;
    struct finding f = FINDING_INIT;
    struct outcome o = {0};
    enum small_answer answer;
    if (clock_mono_ns() >= k->until)
        return SMALL_STOP;
    k->tried++;
    k->test_case.shape = c->shape;
    k->test_case.values = c->values;
    if (ensure(k, c->launch, &o) != 0 || run(k, &f, &o) != 0)
        answer = lost(k, &f, &o);
    else
        answer = f.verdict == k->wanted ? SMALL_FAILS : SMALL_PASSES;
    if (answer == SMALL_FAILS)
        keep(k, c, &f);
    return answer;
}

/* As many runs as show a race that showed so often. */
static int runs_of_race(const struct case_result *c)
{
    const int n = c->failed_runs ? 5 * c->runs / c->failed_runs : RACE_RUNS;
    return n < RACE_RUNS ? RACE_RUNS : n > RACE_RUNS_MOST ? RACE_RUNS_MOST : n;
}

/* The values of the case under the first launch may be among those that show no mistake. */
static bool fails_again(struct seeker *k, const struct small_case *c)
{
    const int usual = k->runs;
    k->runs = usual > RUNS_FIRST ? usual : RUNS_FIRST;
    const bool fails = ask(k, c) == SMALL_FAILS;
    k->runs = usual;
    return fails;
}

/* The command that a report gives starts a new process: the case must fail there, too. A race may
 * need many attempts. */
static void confirm(struct seeker *k, const struct small_case *c)
{
    if (driver_alive(&k->s->driver))
        driver_end(&k->s->driver);
    k->until += CONFIRM_NS;
    k->found->present = (fails_again(k, c) || k->race) && k->found->present;
}

static void search(struct seeker *k, const struct case_result *failed)
{
    const struct test_case *from = &k->job->node->run.cases.item[failed->case_index];
    struct small_case c = {from->shape, failed->launch, from->values};
    const struct small_search s = {k->job->tier->kernel, k->job->tier->shapes, {ask, k}};
    k->test_case = *from;
    /* Reports tell the seed. It must not tell the one of the case, which is graded. */
    k->test_case.seed = digest_word(case_run_seed(from, CASE_RUNS_PER_LAUNCH - 1));
    k->cause = failed->cause;
    k->race =
        k->cause == CAUSE_RACE || (k->cause == CAUSE_NONE && failed->failed_runs < failed->runs);
    k->runs = k->race ? runs_of_race(failed) : k->cause == CAUSE_LATER_CALLS ? RUNS_FIRST : RUNS;
    if (k->cause == CAUSE_UNSET_MEMORY)
        k->s->spec.fill = FILL_OTHERS;
    if (fails_again(k, &c)) {
        k->found->finished = smallest_find(&s, &c);
        confirm(k, &c);
    }
    k->s->spec.fill = k->job->selection->fill;
}

/* Do ranks wait for each other? */
static bool hangs(const struct unit_job *job, const struct unit_result *r)
{
    return r->verdict == VERDICT_TIMEOUT && launch_kind_has(job->tier->kind, KIND_RANKS);
}

static bool is_searched(const struct unit_job *job, const struct unit_result *r,
                        const struct case_result *failed)
{
    const bool kind = r->verdict == VERDICT_WRONG_ANSWER || r->verdict == VERDICT_CRASH ||
                      r->verdict == VERDICT_WROTE_OUT_OF_BOUNDS ||
                      r->verdict == VERDICT_WROTE_INPUT || hangs(job, r);
    return kind && unit_cause_is_sought(job, failed) && failed->cause != CAUSE_THREADS_LEFT;
}

void unit_smallest_find(const struct unit_job *job, struct unit_state *s, struct unit_result *r)
{
    const struct case_result *failed = unit_result_first_failure(r);
    const uint64_t start = clock_mono_ns();
    const bool hang = hangs(job, r) || s->unread;
    const int64_t asked_ms = job->node->run.assignment->correctness.smallest_ms;
    const int64_t most_ms = hang && asked_ms > HANGS_MS ? HANGS_MS : asked_ms;
    const int64_t call_ms = hang ? HANG_MS : CALL_MS;
    if (!is_searched(job, r, failed) || start >= s->deadline)
        return;
    const uint64_t half = (s->deadline - start) / 2, most = (uint64_t)most_ms * 1000000;
    struct seeker k = {.job = job,
                       .s = s,
                       .wanted = r->verdict,
                       .until = start + (most < half ? most : half),
                       .r = r,
                       .failed = failed ? failed->launch : launch_here(1, 1),
                       .found = &r->smallest};
    stage_enter("looking for the smallest case that fails");
    s->spec.cpus = job->harness->cores.id;
    s->spec.cpu_count = job->harness->cores.count;
    if (job->harness->case_ms > call_ms)
        job->harness->case_ms = call_ms;
    search(&k, failed);
    job->harness->case_ms = job->node->run.assignment->limits.case_ms;
    if (driver_alive(&s->driver))
        driver_end(&s->driver);
    r->smallest.tried = k.tried;
    r->smallest.seconds = (double)(clock_mono_ns() - start) * 1e-9;
}
