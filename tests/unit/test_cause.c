/* What trials say about the cause of a failure: simulated programs, whose mistake is known. */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "model/cause.h"
#include "report/replay_options.h"

/* A program. Each function says whether run i of a process is right, wrong in some way, or ends the
 * process: 0, the wrong output, or DIES. */
enum { DIES = -1 };

struct program {
    int (*run)(const struct cause_trial *t, int i, int process);
    bool changes;     /* the output changes later, in the largest case */
    bool late;        /* only if new threads begin late */
    bool unavailable; /* no trial can be made */
};

struct simulation {
    const struct program *program;
    int process;
};

static void ask(void *with, const struct cause_trial *t, struct cause_seen *seen)
{
    struct simulation *s = with;
    s->process++;
    seen->known = !s->program->unavailable;
    for (int i = 0; i < t->runs && seen->known; i++) {
        const int out = s->program->run(t, i, s->process);
        const bool wrong = out != 0;
        seen->first_wrong = seen->first_wrong || (!i && wrong);
        if (wrong && !seen->wrong && out != DIES)
            seen->output = (uint64_t)out;
        seen->steady = out != DIES && (seen->wrong ? seen->steady : true) &&
                       (!wrong || seen->output == (uint64_t)out);
        seen->wrong += wrong ? out == DIES ? t->runs - i : 1 : 0;
        if (out == DIES)
            break;
    }
    seen->changed = seen->known && t->largest && seen->output &&
                    (s->program->changes || (s->program->late && t->late_threads));
}

static int always(const struct cause_trial *t, int i, int process)
{
    (void)t, (void)i, (void)process;
    return 7;
}

/* Wrong in one of two ways, or, where threads race, in any way. */
static int unset_part(const struct cause_trial *t, int i, int process)
{
    (void)i, (void)process;
    return t->fill == FILL_OTHERS ? 8 : 7;
}

static int wrong_by_process(const struct cause_trial *t, int i, int process)
{
    (void)t, (void)i;
    return process;
}

static int wrong_by_run(const struct cause_trial *t, int i, int process)
{
    (void)process;
    return (t->fill == FILL_OTHERS ? 10 : 1) + i % 2;
}

/* What is read past an input counts: wrong in one of two ways, or right. */
static int reads_past(const struct cause_trial *t, int i, int process)
{
    (void)i, (void)process;
    return t->zeros_around ? 0 : 7;
}

static int reads_past_twice(const struct cause_trial *t, int i, int process)
{
    (void)i, (void)process;
    return t->zeros_around ? 6 : DIES;
}

static int static_sum(const struct cause_trial *t, int i, int process)
{
    (void)process;
    return t->before ? 99 : i;
}

static int first_size(const struct cause_trial *t, int i, int process)
{
    (void)i, (void)process;
    return t->before ? DIES : 0;
}

static int unset(const struct cause_trial *t, int i, int process)
{
    (void)i, (void)process;
    return t->fill == FILL_OTHERS ? 5 : 0;
}

/* Wrong in one of three runs, each time in another way; with one worker always right. */
static int racy(const struct cause_trial *t, int i, int process)
{
    return t->one_worker || (i + process) % 3 ? 0 : 10 * process + i + 1;
}

/* A variable on the stack that is never set: differs from process to process. */
static int garbage(const struct cause_trial *t, int i, int process)
{
    (void)t, (void)i;
    return process;
}

static int times_zero(const struct cause_trial *t, int i, int process)
{
    (void)i, (void)process;
    return t->poison == POISON_NUMBERS ? 0 : 3;
}

static int never_written(const struct cause_trial *t, int i, int process)
{
    (void)i, (void)process;
    return 1 + (int)t->poison;
}

/* Threads that are left write in time in small cases, now and then. */
static int left_threads(const struct cause_trial *t, int i, int process)
{
    return t->largest ? (process > 1 ? 4 : 0) : i % 2;
}

static int left_threads_in_time(const struct cause_trial *t, int i, int process)
{
    (void)process;
    return t->largest ? (t->late_threads ? 4 : 0) : i % 2;
}

/* The process ends before a thread that is left has written, now and then. */
static int left_threads_that_crash(const struct cause_trial *t, int i, int process)
{
    return process > 6 ? left_threads(t, i, process) : DIES;
}

/* A race that is always right while threads are cold, and always wrong afterwards, in other ways.
 */
static int warm_race(const struct cause_trial *t, int i, int process)
{
    return t->one_worker || !i ? 0 : 10 * process + i;
}

/* The same, and wrong in the same way each time. */
static int steady_race(const struct cause_trial *t, int i, int process)
{
    (void)process;
    return t->one_worker || (!i && !t->before) ? 0 : 5;
}

/* A race that a process always loses, or never: it depends on the cores that it got. */
static int race_by_process(const struct cause_trial *t, int i, int process)
{
    (void)i;
    return t->one_worker || process % 5 ? 0 : 10 * process;
}

static int right_now(const struct cause_trial *t, int i, int process)
{
    (void)t, (void)i, (void)process;
    return 0;
}

TEST(causes)
{
    static const struct {
        const char *name;
        struct program program;
        bool unsteady, threads, nan;
        enum cause cause;
    } table[] = {
        ROW("no trial can be made", {.run = always, .unavailable = true}, false, true, true,
            CAUSE_NONE),
        ROW("the same, unsteady", {.run = racy, .unavailable = true}, true, true, false,
            CAUSE_RACE),
        ROW("always wrong", {.run = always}, false, true, false, CAUSE_NONE),
        ROW("a read past an input", {.run = reads_past}, false, true, false, CAUSE_READS_AROUND),
        ROW("the same, wrong twice", {.run = reads_past_twice}, false, false, false,
            CAUSE_READS_AROUND),
        ROW("the same, unsteady", {.run = reads_past}, true, false, false, CAUSE_RACE),
        ROW("right in every trial", {.run = right_now}, false, true, false, CAUSE_NONE),
        ROW("a race that does not show again", {.run = right_now}, true, true, false, CAUSE_RACE),
        ROW("a race", {.run = racy}, true, true, false, CAUSE_RACE),
        ROW("a race of warm threads", {.run = warm_race}, true, true, false, CAUSE_RACE),
        ROW("one that some processes lose", {.run = race_by_process}, true, true, false,
            CAUSE_RACE),
        ROW("one that is always lost", {.run = steady_race}, true, true, false, CAUSE_RACE),
        ROW("one that crashes every time", {.run = steady_race}, false, true, false, CAUSE_RACE),
        ROW("the same between ranks", {.run = steady_race}, false, false, false, CAUSE_LATER_CALLS),
        ROW("a static sum of threads", {.run = static_sum}, false, true, false, CAUSE_LATER_CALLS),
        ROW("a static sum", {.run = static_sum}, false, false, false, CAUSE_LATER_CALLS),
        ROW("a static sum, unsteady", {.run = static_sum}, true, true, false, CAUSE_LATER_CALLS),
        ROW("a buffer of the first call", {.run = first_size}, false, false, false,
            CAUSE_EARLIER_CALLS),
        ROW("the same under threads", {.run = first_size}, true, true, false, CAUSE_EARLIER_CALLS),
        ROW("memory never set", {.run = unset}, false, false, false, CAUSE_UNSET_MEMORY),
        ROW("the same, unsteady", {.run = unset}, true, true, false, CAUSE_UNSET_MEMORY),
        ROW("memory of which a part was never set", {.run = unset_part}, false, false, false,
            CAUSE_UNSET_PART),
        ROW("the same, with threads", {.run = unset_part}, false, true, false, CAUSE_UNSET_PART),
        ROW("the same, unsteady", {.run = unset_part}, true, false, false, CAUSE_UNSET_PART),
        ROW("wrong in many ways", {.run = wrong_by_run}, true, false, false, CAUSE_RACE),
        ROW("wrong in any way", {.run = wrong_by_process}, false, false, false, CAUSE_NONE),
        ROW("a stack never set", {.run = garbage}, true, true, false, CAUSE_NONE),
        ROW("0 * NaN", {.run = times_zero}, false, false, true, CAUSE_OLD_OUTPUT),
        ROW("never written, and NaN", {.run = never_written}, false, false, true, CAUSE_NONE),
        ROW("threads that are left", {.run = left_threads, .changes = true}, true, true, false,
            CAUSE_THREADS_LEFT),
        ROW("the same, which often crash", {.run = left_threads_that_crash, .changes = true}, true,
            true, false, CAUSE_THREADS_LEFT),
        ROW("the same, which are done in time", {.run = left_threads_in_time, .late = true}, true,
            true, false, CAUSE_THREADS_LEFT),
        ROW("a tier that starts none", {.run = always, .changes = true}, false, false, false,
            CAUSE_NONE),
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct simulation s = {&table[i].program, 0};
        const struct cause_question q = {.unsteady = table[i].unsteady,
                                         .threads = table[i].threads,
                                         .nan = table[i].nan,
                                         .workers = table[i].threads ? 2 : 1,
                                         .oracle = {ask, &s}};
        const enum cause found = cause_find(&q);
        if (found != table[i].cause)
            fail_msg("%s: '%s', not '%s'", table[i].name, cause_name(found),
                     cause_name(table[i].cause));
    }
}

/* Of a crash in malloc() only one thing is asked. */
TEST(heap)
{
    static const struct {
        struct program program;
        enum cause cause;
    } table[] = {
        {{.run = first_size}, CAUSE_EARLIER_CALLS},
        {{.run = unset}, CAUSE_NONE},
        {{.run = always}, CAUSE_NONE},
        {{.run = right_now}, CAUSE_NONE},
        {{.run = first_size, .unavailable = true}, CAUSE_NONE},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct simulation s = {&table[i].program, 0};
        const struct cause_question q = {.heap = true, .workers = 1, .oracle = {ask, &s}};
        assert_int_equal(cause_find(&q), table[i].cause);
    }
}

static int late_tasks(const struct cause_trial *t, int i, int process)
{
    (void)i, (void)process;
    return t->tasks_at_once ? 0 : 7;
}

/* At once, now and then. */
static int tasks_by_process(const struct cause_trial *t, int i, int process)
{
    (void)i;
    return t->tasks_at_once && process < 3 ? 0 : 7;
}

TEST(tasks)
{
    static const struct {
        struct program program;
        bool late;
    } table[] = {
        {{.run = late_tasks}, true}, {{.run = late_tasks, .unavailable = true}, false},
        {{.run = always}, false},    {{.run = right_now}, false},
        {{.run = racy}, false},      {{.run = tasks_by_process}, false},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct simulation s = {&table[i].program, 0};
        const struct cause_question q = {.threads = true, .workers = 2, .oracle = {ask, &s}};
        assert_int_equal(cause_is_of_tasks(&q), table[i].late);
    }
}

TEST(names)
{
    enum cause c;
    for (int i = 0; i < CAUSE_COUNT; i++) {
        assert_true(cause_parse(cause_name((enum cause)i), &c));
        assert_int_equal(c, i);
        assert_int_equal(!*cause_sentence(c), c == CAUSE_NONE);
    }
    assert_false(cause_parse("bad luck", &c));
}

/* A command that is copied must fail again. */
TEST(options)
{
    static const struct {
        enum cause cause;
        int failed, runs, workers;
        enum verdict verdict;
        const char *options, *smallest;
    } table[] = {
        {CAUSE_NONE, 3, 3, 1, VERDICT_WRONG_ANSWER, "", ""},
        {CAUSE_NONE, 1, 2, 1, VERDICT_WRONG_ANSWER, " --repeat 20", " --repeat 20"},
        {CAUSE_NONE, 12, 286, 1, VERDICT_WRONG_ANSWER, " --repeat 238", " --repeat 238"},
        {CAUSE_NONE, 1, 3, 2, VERDICT_WRONG_ANSWER, " --repeat 10000", " --repeat 10000"},
        {CAUSE_NONE, 1, 1, 1, VERDICT_OUTPUT_LIMIT, " --before", ""},
        {CAUSE_NONE, 1, 1, 1, VERDICT_OUT_OF_MEMORY, " --before", ""},
        {CAUSE_RACE, 8, 8, 2, VERDICT_WRONG_ANSWER, " --repeat 10000", " --repeat 10000"},
        {CAUSE_RACE, 1, 90, 2, VERDICT_WRONG_ANSWER, " --repeat 90000", " --repeat 90000"},
        {CAUSE_UNSET_MEMORY, 1, 8, 2, VERDICT_WRONG_ANSWER, " --fill", " --fill"},
        {CAUSE_LATER_CALLS, 8, 8, 2, VERDICT_CRASH, " --repeat 20", " --repeat 20"},
        {CAUSE_EARLIER_CALLS, 1, 8, 1, VERDICT_CRASH, " --before", " --repeat 20"},
        {CAUSE_OLD_OUTPUT, 1, 1, 1, VERDICT_WRONG_ANSWER, " --repeat 20", " --repeat 20"},
        {CAUSE_THREADS_LEFT, 1, 1, 2, VERDICT_CRASH, " --repeat 200", " --repeat 200"},
    };
    char text[REPLAY_OPTIONS];
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const struct launch launch = launch_here(1, table[i].workers);
        const struct case_result c = {.cause = table[i].cause,
                                      .verdict = table[i].verdict,
                                      .launch = launch,
                                      .runs = table[i].runs,
                                      .failed_runs = table[i].failed};
        const struct smallest_result s = {
            .launch = launch, .runs = table[i].runs, .failed_runs = table[i].failed};
        replay_options(replay_conditions(&c), text);
        assert_string_equal(text, table[i].options);
        replay_options(replay_conditions_smallest(&s, table[i].cause), text);
        assert_string_equal(text, table[i].smallest);
    }
}

TESTS(NULL, NULL)
