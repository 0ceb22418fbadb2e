/* The rules of measuring: which blocks count, what they say, what to do next. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "model/estimate.h"

#define ALONE .alone = 1, .others_alone = 1, .seconds = 0.1
#define QUIET .others = 1, ALONE
#define TOLERANCE ESTIMATE_TOLERANCE
#define OTHERS ESTIMATE_OTHERS
/* Factors just within and just beyond a tolerance. */
#define BELOW(share) (1 + 0.99 * (share))
#define ABOVE(share) (1 + 1.01 * (share))

static void which_blocks_count(void **arg)
{
    (void)arg;
    static const struct {
        const char *name;
        struct block b;
        bool accepted;
    } table[] = {
        {"as expected", {.yard = {1, 1}, .unit = 2, QUIET}, true},
        {"slower before", {.yard = {ABOVE(TOLERANCE), 1}, .unit = 2, QUIET}, false},
        {"slower after", {.yard = {1, ABOVE(TOLERANCE)}, .unit = 2, QUIET}, false},
        {"faster", {.yard = {1 - 1.01 * TOLERANCE, 1}, .unit = 2, QUIET}, false},
        {"within the tolerance",
         {.yard = {BELOW(TOLERANCE), 1 - 0.99 * TOLERANCE}, .unit = 2, QUIET},
         true},
        {"a thread waited", {.yard = {1, 1}, .unit = 2, QUIET, .waited = 1.01 * TOLERANCE}, false},
        {"a thread hardly waited",
         {.yard = {1, 1}, .unit = 2, QUIET, .waited = 0.99 * TOLERANCE},
         true},
        {"another core was slow",
         {.yard = {1, 1}, .unit = 2, .others = ABOVE(OTHERS), ALONE},
         false},
        {"another core was a little slow",
         {.yard = {1, 1}, .unit = 2, .others = BELOW(OTHERS), ALONE},
         true},
        {"it was slow before the process started",
         {.yard = {1, 1}, .unit = 2, .others = 1, .alone = 1, .others_alone = 2, .seconds = 0.1},
         true},
        {"the unit's own time decides nothing", {.yard = {1, 1}, .unit = 2, QUIET}, true},
        {"no time at all", {.yard = {NAN, 1}, .unit = 2, QUIET}, false},
        {"nothing known of the threads", {.yard = {1, 1}, .unit = 2, QUIET, .waited = NAN}, false},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (block_accepted(&table[i].b, 1, 1) != table[i].accepted)
            fail_msg("%s", table[i].name);
    /* Where the node is 6 % slower at present, all between this and the expected time is fine. */
    const struct block fast = {.yard = {1 - 0.99 * TOLERANCE, 1}, .unit = 2, QUIET};
    const struct block slow = {.yard = {1, 1.06 * BELOW(TOLERANCE)}, .unit = 2, QUIET};
    const struct block slower = {.yard = {1, 1.06 * ABOVE(TOLERANCE)}, .unit = 2, QUIET};
    assert_true(block_accepted(&fast, 1, 1.06) && block_accepted(&slow, 1, 1.06));
    assert_false(block_accepted(&slower, 1, 1.06));
}

/* What the yardstick takes alone tells what it should take: at all, and at present. A single
 * process that was started in a bad moment changes nothing. */
static void what_the_yardstick_takes_alone(void **arg)
{
    (void)arg;
    enum { PROCESSES = 5, BLOCKS = 2 * PROCESSES };
    static const struct {
        const char *name;
        double alone[PROCESSES];
        double expected, present;
    } table[] = {
        {"as recorded", {1, 1, 1, 1, 1}, 1, 1},
        {"a little slower", {1, 1.03, 1.03, 1.03, 1}, 1, 1},
        {"a little faster", {0.97, 0.97, 0.97, 0.97, 0.97}, 1, 1},
        {"slower", {1.06, 1, 1.06, 1.3, 1.06}, 1, 1.06},
        {"faster: the record was made under interference", {0.7, 0.7, 1, 1, 0.7}, 0.7, 0.7},
        {"one bad moment", {1, 2, 1, 1, 1}, 1, 1},
        {"one good moment", {1, 0.7, 1, 1, 1}, 1, 1},
        {"much slower: interference", {2, 2, 2, 2, 2}, 1, 1},
    };
    assert_true(estimate_expected(NULL, 0, 3) == 3 && estimate_present(NULL, 0, 3) == 3);
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct block b[BLOCKS];
        for (int j = 0; j < BLOCKS; j++)
            b[j] = (struct block){.yard = {1, 1},
                                  .unit = 2,
                                  .others = 1,
                                  .alone = table[i].alone[j / 2],
                                  .others_alone = 1,
                                  .process = j / 2};
        const double expected = estimate_expected(b, BLOCKS, 1);
        const double present = estimate_present(b, BLOCKS, expected);
        if (expected != table[i].expected || present != table[i].present)
            fail_msg("%s: %g, %g", table[i].name, expected, present);
        struct estimate_input p = {.block = b,
                                   .count = BLOCKS,
                                   .expected = expected,
                                   .precision = 0.02,
                                   .budget = 6,
                                   .slower = BELOW(TOLERANCE) * present / expected,
                                   .others = 1};
        if (estimate_yardstick_slow(&p))
            fail_msg("%s: waits for a better present", table[i].name);
        p.slower = ABOVE(TOLERANCE) * present / expected;
        if (!estimate_yardstick_slow(&p))
            fail_msg("%s: does not wait", table[i].name);
    }
}

/* Five processes of four blocks, all like this one. */
static struct estimate repeated(struct block b)
{
    struct block all[20];
    for (int i = 0; i < 20; i++) {
        all[i] = b;
        all[i].process = i / 4;
    }
    return estimate_of(all, 20, 1, 0.02);
}

static void near(const char *name, double got, double wanted)
{
    if (!(fabs(got - wanted) < 1e-3 * fabs(wanted)))
        fail_msg("%s: %g instead of %g", name, got, wanted);
}

static void what_blocks_say(void **arg)
{
    (void)arg;
    static const struct {
        const char *name;
        struct block b;
        double median, low, high;
        bool precise;
    } table[] = {
        {"quiet", {.yard = {1, 1}, .unit = 2, QUIET}, 0.5, 0.5, 0.5, true},
        /* Between "the unit feels all of it" and "the unit feels nothing of it". */
        {"accepted, 2 % slower",
         {.yard = {1.02, 1.02}, .unit = 2, QUIET},
         0.505,
         0.495,
         0.515,
         true},
        /* The yardstick was as slow without the unit: the node is. */
        {"the node is half as fast",
         {.yard = {2, 2}, .unit = 4, .others = 1, .alone = 2, .others_alone = 1, .seconds = 0.1},
         0.5,
         0.25,
         1,
         false},
        {"the node is 5 % slower at present",
         {.yard = {1.05, 1.05}, .unit = 2.1, .others = 1, .alone = 1.05, .others_alone = 1},
         0.5,
         0.5 / 1.05,
         0.5 * 1.05,
         false},
        {"and the yardstick is 3 % slower than that beside the unit",
         {.yard = {1.0815, 1.0815}, .unit = 2.1, .others = 1, .alone = 1.05, .others_alone = 1},
         0.5 * 1.014889,
         0.5 * 1.014889 / 1.0815,
         0.5 * 1.014889 * 1.0815,
         false},
        {"the node is slow without the unit only",
         {.yard = {1, 1}, .unit = 2, .others = 1, .alone = 1.08, .others_alone = 1},
         0.5,
         0.5,
         0.5,
         true},
        /* It was not: perhaps the unit makes it slow. */
        {"the yardstick is half as fast beside the unit",
         {.yard = {2, 2}, .unit = 2, QUIET},
         0.5,
         0.5,
         2,
         false},
        {"the unit's threads waited for half of the time",
         {.yard = {1, 1}, .unit = 2, QUIET, .waited = 0.5},
         0.5,
         0.5,
         1,
         false},
        {"another core seemed slow, now and before the unit was there: believed up to a limit",
         {.yard = {1, 1}, .unit = 2, .others = 40, .alone = 1, .others_alone = 40, .seconds = 0.1},
         0.5 * ESTIMATE_OTHERS_MOST,
         0.5,
         0.5 * 40 * 40,
         false},
        {"the node is faster than expected",
         {.yard = {0.8, 0.8},
          .unit = 1.6,
          .others = 1,
          .alone = 0.8,
          .others_alone = 1,
          .seconds = 0.1},
         0.5,
         0.5,
         0.625,
         false},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct estimate e = repeated(table[i].b);
        near(table[i].name, e.relative.value, table[i].value);
        near(table[i].name, e.relative.low, table[i].low);
        near(table[i].name, e.relative.high, table[i].high);
        if (e.precise != table[i].precise)
            fail_msg("%s: precise", table[i].name);
    }
}

static void nothing_says_nothing(void **arg)
{
    (void)arg;
    struct estimate e = estimate_of(NULL, 0, 1, 0.02);
    assert_true(isnan(e.relative.value) && !e.precise && e.processes == 0);
    const struct block one = {.yard = {1, 1}, .unit = 2, QUIET};
    e = estimate_of(&one, 1, 1, 0.02);
    assert_false(e.precise);
    assert_true(e.relative.low <= 0.5 && e.relative.high >= 0.5);
}

/* A rejected block beside accepted ones of its process changes nothing. */
static void rejected_blocks_are_left_out(void **arg)
{
    (void)arg;
    struct block b[20];
    for (int i = 0; i < 20; i++) {
        b[i] = (struct block){.yard = {1, 1}, .unit = 2, QUIET, .process = i / 4};
        if (i % 4 == 0)
            b[i].yard[0] = b[i].unit = 9;
    }
    struct estimate e = estimate_of(b, 20, 1, 0.02);
    near("median", e.relative.value, 0.5);
    assert_int_equal(e.accepted, 15);
    assert_int_equal(e.processes, 5);
    assert_true(e.precise);
}

/* Each process is one observation: three fast blocks in one process do not outweigh one slow block
 * in another. */
static void processes_are_observations(void **arg)
{
    (void)arg;
    enum { EACH = 4, PROCESSES = 6 };
    struct block b[EACH * PROCESSES];
    size_t n = 0;
    for (int i = 0; i < PROCESSES; i++)
        for (int j = 0; j < (i < PROCESSES / 2 ? EACH : 1); j++)
            b[n++] = (struct block){
                .yard = {1, 1}, .unit = i < PROCESSES / 2 ? 2 : 2.42, QUIET, .process = i};
    struct estimate e = estimate_of(b, n, 1, 0.02);
    near("geometric mean", e.relative.value, 1 / 2.2);
    assert_int_equal(e.processes, PROCESSES);
    assert_int_equal(e.relative.n, n);
    assert_false(e.precise);
    assert_true(e.relative.low < 1 / 2.42 && e.relative.high > 1 / 2.0);
}

/* All of the blocks of a process count when none is accepted. Such a process is counted. */
static void disturbed_processes(void **arg)
{
    (void)arg;
    struct block b[10];
    for (int i = 0; i < 10; i++) {
        b[i] = (struct block){.yard = {1, 1}, .unit = 2, QUIET, .process = i / 2};
        if (i < 4) {
            b[i].yard[0] = b[i].yard[1] = b[i].alone = 1.5;
            b[i].unit = 3;
        }
    }
    struct estimate e = estimate_of(b, 10, 1, 0.02);
    assert_int_equal(e.disturbed, 2);
    assert_int_equal(e.accepted, 6);
    near("median", e.relative.value, 0.5);
    assert_false(e.precise); /* how much of the interference the unit felt is not known */
    assert_true(e.systematic > 0.02);
}

enum { EACH = ESTIMATE_BLOCKS, LEAST = ESTIMATE_PROCESSES_LEAST, MORE = 12 };

static void what_to_do_next(void **arg)
{
    (void)arg;
    /* Beyond the wait budget of a case whose budget is 6 s. */
    const double long_ago = ESTIMATE_WAIT_BUDGETS * 6 + 1;
    const struct {
        const char *name;
        unsigned blocks, each; /* and how many of them are in a process */
        double seconds;        /* of a block */
        double waited, slower, others;
        double spread; /* of every other process */
        bool rejected;
        enum estimate_step next;
    } table[] = {
        {"nothing yet", 0, EACH, 0.01, 0, 1, 1, 0, false, ESTIMATE_TAKE},
        {"the node is slow", 0, EACH, 0.01, 0, ABOVE(TOLERANCE), 1, 0, false, ESTIMATE_WAIT},
        {"another core is slow", 0, EACH, 0.01, 0, 1, ABOVE(OTHERS), 0, false, ESTIMATE_WAIT},
        {"both are nearly as expected", 0, EACH, 0.01, 0, BELOW(TOLERANCE), BELOW(OTHERS), 0, false,
         ESTIMATE_TAKE},
        {"the node is fast", 0, EACH, 0.01, 0, 0.5, 1, 0, false, ESTIMATE_TAKE},
        {"the wait budget is spent", 0, EACH, 0.01, long_ago, 2, 2, 0, false, ESTIMATE_TAKE},
        {"a process goes on", EACH - 1, EACH, 0.01, 0, 1, 1, 0, false, ESTIMATE_TAKE},
        {"and waits", EACH - 1, EACH, 0.01, 0, 2, 1, 0, false, ESTIMATE_WAIT},
        {"a process is complete", EACH, EACH, 0.01, 0, 1, 1, 0, false, ESTIMATE_START},
        {"rejected blocks do not complete it", EACH, 2 * EACH, 0.01, 0, 1, 1, 0, true,
         ESTIMATE_TAKE},
        {"but they do when the wait budget is spent", EACH, EACH, 0.01, long_ago, 1, 1, 0, true,
         ESTIMATE_START},
        {"fewer than the least processes", (LEAST - 1) * EACH, EACH, 0.01, 0, 1, 1, 0, false,
         ESTIMATE_START},
        {"a few are enough when the wait budget is spent", ESTIMATE_PROCESSES_FEW * EACH, EACH,
         0.01, long_ago, 2, 1, 0.1, false, ESTIMATE_DONE},
        {"fewer are not", (ESTIMATE_PROCESSES_FEW - 1) * EACH, EACH, 0.01, long_ago, 2, 1, 0, false,
         ESTIMATE_START},
        {"these are enough when they agree", LEAST * EACH, EACH, 0.01, 0, 1, 1, 0, false,
         ESTIMATE_DONE},
        {"they are not when they differ", LEAST * EACH, EACH, 0.01, 0, 1, 1, 0.1, false,
         ESTIMATE_START},
        {"the budget is spent", LEAST * EACH, EACH, 6.5 / (LEAST * EACH), 0, 1, 1, 0.1, false,
         ESTIMATE_DONE},
        {"nor are more", MORE * EACH, EACH, 0.01, 0, 1, 1, 0.1, false, ESTIMATE_START},
        {"nothing is accepted, and that used the wait budget up", LEAST * EACH, EACH, 0.5, 0, 2, 2,
         0, true, ESTIMATE_DONE},
        /* The budget has room for three blocks. */
        {"long blocks: one in each process", 1, 1, 2, 0, 1, 1, 0, false, ESTIMATE_START},
        {"long blocks: five processes", LEAST - 1, 1, 2, 0, 1, 1, 0.1, false, ESTIMATE_START},
        {"and no more", LEAST, 1, 2, 0, 1, 1, 0.1, false, ESTIMATE_DONE},
        {"four use three budgets up", 3, 1, 4.5, 0, 1, 1, 0.1, false, ESTIMATE_START},
        {"so these are enough", 4, 1, 4.5, 0, 1, 1, 0.1, false, ESTIMATE_DONE},
        {"blocks above the budget: three processes", ESTIMATE_PROCESSES_FEW - 1, 1, 9, 0, 1, 1, 0.1,
         false, ESTIMATE_START},
        {"and no more of them", ESTIMATE_PROCESSES_FEW, 1, 9, 0, 1, 1, 0.1, false, ESTIMATE_DONE},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct block b[MORE * EACH];
        for (unsigned j = 0; j < table[i].blocks; j++)
            b[j] = (struct block){.yard = {1, table[i].rejected ? 1.5 : 1},
                                  .unit = 2 * (1 + table[i].spread * (j / table[i].each % 2)),
                                  .others = 1,
                                  .alone = 1,
                                  .others_alone = 1,
                                  .seconds = table[i].seconds,
                                  .process = (int)(j / table[i].each)};
        const struct estimate_input p = {.block = b,
                                         .count = table[i].blocks,
                                         .expected = 1,
                                         .precision = 0.02,
                                         .budget = 6,
                                         .waited = table[i].waited,
                                         .slower = table[i].slower,
                                         .others = table[i].others};
        if (estimate_next(&p) != table[i].next)
            fail_msg("%s: %d", table[i].name, (int)estimate_next(&p));
    }
}

/* More trials are wanted than the precision or the budget needs. */
static void trials(void **arg)
{
    (void)arg;
    static const struct {
        const char *name;
        unsigned blocks;
        double seconds; /* of a block */
        double waited;
        unsigned trials;
        enum estimate_step next;
    } table[] = {
        {"precise, but too few", LEAST * EACH, 0.01, 0, LEAST * EACH + 1, ESTIMATE_START},
        {"precise, and enough", LEAST * EACH, 0.01, 0, LEAST * EACH, ESTIMATE_DONE},
        {"the budget is spent, but they are too few", LEAST * EACH, 7.0 / (LEAST * EACH), 0, 200,
         ESTIMATE_START},
        {"three budgets are spent", LEAST * EACH, 19.0 / (LEAST * EACH), 0, 200, ESTIMATE_DONE},
        {"the wait budget is spent", LEAST * EACH, 0.01, ESTIMATE_WAIT_BUDGETS * 6 + 1, 200,
         ESTIMATE_DONE},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct block b[LEAST * EACH];
        for (unsigned j = 0; j < table[i].blocks; j++)
            b[j] = (struct block){.yard = {1, 1},
                                  .unit = 2,
                                  .others = 1,
                                  .alone = 1,
                                  .others_alone = 1,
                                  .seconds = table[i].seconds,
                                  .process = (int)(j / EACH)};
        const struct estimate_input p = {.block = b,
                                         .count = table[i].blocks,
                                         .expected = 1,
                                         .precision = 0.02,
                                         .budget = 6,
                                         .trials = table[i].trials,
                                         .waited = table[i].waited,
                                         .slower = 1,
                                         .others = 1};
        if (estimate_next(&p) != table[i].next)
            fail_msg("%s: %d", table[i].name, (int)estimate_next(&p));
    }
}

/* Whatever the node does, measuring ends. */
static void measuring_ends(void **arg)
{
    (void)arg;
    static const struct {
        const char *name;
        double yard, others, spread;
        unsigned processes; /* at least */
    } table[] = {
        {"quiet", 1, 1, 0, LEAST},
        {"processes that differ", 1, 1, 0.5, LEAST},
        {"never as fast as expected", 2, 1, 0, ESTIMATE_PROCESSES_FEW},
        {"a core is always slow", 1, 2, 0, ESTIMATE_PROCESSES_FEW},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        enum { ROOM = 4000 };
        static struct block b[ROOM];
        struct estimate_input p = {.block = b,
                                   .expected = 1,
                                   .precision = 0.02,
                                   .budget = 6,
                                   .slower = table[i].yard,
                                   .others = table[i].others};
        int process = 0;
        double seconds = 0;
        for (enum estimate_step next; (next = estimate_next(&p)) != ESTIMATE_DONE;) {
            seconds += 0.1;
            if (next == ESTIMATE_WAIT) {
                p.waited += 0.1;
                continue;
            }
            process += next == ESTIMATE_START;
            assert_true(p.count < ROOM);
            b[p.count++] = (struct block){.yard = {table[i].yard, table[i].yard},
                                          .unit = 2 * (1 + table[i].spread * (process % 2)),
                                          .others = table[i].others,
                                          .alone = 1,
                                          .others_alone = 1,
                                          .seconds = 0.1,
                                          .process = process};
        }
        const struct estimate e = estimate_of(b, p.count, 1, 0.02);
        if (e.processes < table[i].processes ||
            seconds > 1.5 * (ESTIMATE_WAIT_BUDGETS + 1) * p.budget)
            fail_msg("%s: %u processes in %.1f s", table[i].name, e.processes, seconds);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(which_blocks_count),
        cmocka_unit_test(what_the_yardstick_takes_alone),
        cmocka_unit_test(what_blocks_say),
        cmocka_unit_test(nothing_says_nothing),
        cmocka_unit_test(rejected_blocks_are_left_out),
        cmocka_unit_test(processes_are_observations),
        cmocka_unit_test(disturbed_processes),
        cmocka_unit_test(what_to_do_next),
        cmocka_unit_test(trials),
        cmocka_unit_test(measuring_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
