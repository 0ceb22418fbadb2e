/* The rules of timing: which blocks are accepted, and when there are enough of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "measure/acceptance.h"

enum { BLOCKS = 4 };

static const struct performance usual = {
    .precision = 0.1, .min_samples = 3, .max_samples = 8, .budget_ms = 1000};

static struct block block(double before, double after)
{
    return (struct block){.sample = {.reps = 1, .seconds = 1, .yardstick = (before + after) / 2},
                          .slower = fmax(before, after),
                          .faster = fmin(before, after),
                          .cores = before,
                          .busiest = after};
}

static void accepted_blocks(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        double before[BLOCKS], after[BLOCKS];
        double waited; /* in the first block */
        double expected;
        unsigned first, accepted;
        bool strictest, disturbed[BLOCKS];
    } table[] = {
        {"as expected", {2, 2, 2, 2}, {2, 2, 2, 2}, 0, 2, 0, 4, true, {0}},
        {"one slow run", {2, 2, 2, 2}, {2, 9, 2, 2}, 0, 2, 0, 3, true, {0, 1, 0, 0}},
        {"of this process", {2, 2, 2, 2}, {2, 9, 2, 2}, 0, 2, 2, 2, true, {0, 1, 0, 0}},
        {"a thread waited", {2, 2, 2, 2}, {2, 2, 2, 2}, 0.5, 2, 0, 3, true, {1, 0, 0, 0}},
        {"at a milder level", {2, 2, 2, 2}, {2.1, 2.1, 2, 2}, 0, 2, 0, 4, false, {0}},
        {"always slow", {3, 3, 3, 3}, {3, 3, 3, 3}, 0, 2, 0, 0, false, {1, 1, 1, 1}},
        {"faster than the record", {1, 1, 1, 1}, {1, 1, 1, 9}, 0, 2, 0, 3, true, {0, 0, 0, 1}},
        {"faster once only", {1, 2, 2, 2}, {1, 2, 2, 2}, 0, 2, 0, 3, true, {1, 0, 0, 0}},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct block b[BLOCKS];
        const struct expected_time x = {.recorded = table[i].expected,
                                        .seconds = table[i].expected};
        for (int k = 0; k < BLOCKS; k++)
            b[k] = block(table[i].before[k], table[i].after[k]);
        b[0].sample.waited = table[i].waited;
        struct estimate e = blocks_estimate(b, BLOCKS, table[i].first, &usual, &x);
        if (e.accepted != table[i].accepted || e.strictest != table[i].strictest ||
            e.blocks != BLOCKS - table[i].first)
            fail_msg("%s: %u of %u accepted", table[i].what, e.accepted, e.blocks);
        for (int k = 0; k < BLOCKS; k++)
            if (b[k].sample.disturbed != table[i].disturbed[k])
                fail_msg("%s: block %d", table[i].what, k);
    }
}

static void no_blocks(void **state)
{
    (void)state;
    const struct expected_time x = {.recorded = (double)NAN, .seconds = (double)INFINITY};
    double cores, busiest;
    struct estimate e = blocks_estimate(NULL, 0, 0, &usual, &x);
    assert_int_equal(e.blocks, 0);
    assert_int_equal(e.summary.seconds.n, 0);
    assert_true(isnan(e.summary.seconds.median) && !e.summary.precise);
    blocks_cores(NULL, 0, &cores, &busiest);
    assert_true(isnan(cores) && isnan(busiest));
    struct sample *s = blocks_samples(NULL, 0);
    assert_non_null(s);
    free(s);
}

static void cores_of_accepted_blocks(void **state)
{
    (void)state;
    struct block b[] = {block(1, 4), block(2, 5), block(9, 9)};
    double cores, busiest;
    b[2].sample.disturbed = true;
    blocks_cores(b, 3, &cores, &busiest);
    assert_true(cores == 2 && busiest == 5);
    b[1].cores = NAN;
    blocks_cores(b, 3, &cores, &busiest);
    assert_true(cores == 1 && busiest == 4);
    b[0].sample.disturbed = true;
    blocks_cores(b, 3, &cores, &busiest);
    assert_true(isnan(cores) && isnan(busiest));
}

/* A budget of 1000 ms, and 2000 ms for waiting. */
static void complete_series(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        unsigned blocks, accepted;
        bool strictest, precise;
        int64_t spent_ms;
        bool complete;
    } table[] = {
        {"precise, but too early", 5, 5, true, true, 200, false},
        {"precise", 5, 5, true, true, 300, true},
        {"precise, of too few", 5, 2, true, true, 300, false},
        {"not precise", 5, 5, true, false, 300, false},
        {"not precise, but the budget is spent", 5, 3, true, false, 1001, true},
        {"too few, the budget is spent", 5, 2, true, false, 1001, false},
        {"by a milder rule, in the first half of the wait budget", 5, 5, false, true, 2000, false},
        {"by a milder rule, in the second half", 5, 5, false, true, 2001, true},
        {"as many as are allowed, accepted", 8, 8, true, false, 0, true},
        {"as many as are allowed", 24, 0, false, false, 0, true},
        {"all time is spent", 1, 0, false, false, 3001, true},
        {"all time is spent, and no block", 0, 0, false, false, 3001, false},
    };
    const struct series_plan s = {usual, 2000};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const struct estimate e = {.summary.precise = table[i].precise,
                                   .blocks = table[i].blocks,
                                   .accepted = table[i].accepted,
                                   .strictest = table[i].strictest};
        if (series_complete(&s, &e, table[i].spent_ms) != table[i].complete)
            fail_msg("%s", table[i].what);
    }
}

static void waiting(void **state)
{
    (void)state;
    const struct series_plan s = {usual, 2000};
    assert_int_equal(series_wait_ns(&s, 0, 0), 3000000000 / 24);
    assert_int_equal(series_wait_ns(&s, 22, 1000000000), 2000000000 / 2);
    assert_int_equal(series_wait_ns(&s, 24, 1000000000), 2000000000); /* one is always allowed */
    assert_int_equal(series_wait_ns(&s, 0, 3000000000), 0);
    const struct expected_time x = {.seconds = 2};
    assert_false(yardstick_disturbed(2.05, &x));
    assert_true(yardstick_disturbed(2.07, &x));
    const struct interference i = {.disturbed_ns = 500000000};
    assert_int_equal(wait_budget_left(2000, 700, &i), 1500); /* a slow kernel is not charged */
    assert_int_equal(wait_budget_left(2000, 300, &i), 1700);
    assert_int_equal(wait_budget_left(2000, -300, &i), 2000);
    assert_int_equal(wait_budget_left(100, 700, &i), 0);
}

static void several_processes(void **state)
{
    (void)state;
    const struct series_plan all = {usual, 2000};
    const struct series_plan one = series_of_one_process(&all);
    assert_int_equal(one.performance.budget_ms, 333);
    assert_int_equal(one.performance.max_samples, 3);
    assert_int_equal(one.wait_budget_ms, 666);
    assert_false(series_too_long(&all, 700, 100));
    assert_true(series_too_long(&all, 700, 0));
    const struct series_plan rest = series_rest(&all, 700);
    assert_int_equal(rest.performance.budget_ms, 300);
    assert_int_equal(rest.performance.max_samples, 8);
    assert_true(series_needs_process(&all, 2, true, 5000));
    assert_false(series_needs_process(&all, 3, true, 0));
    assert_true(series_needs_process(&all, 3, false, 999));
    assert_false(series_needs_process(&all, 3, false, 1000));
    assert_false(series_needs_process(&all, PROCESSES_MOST, false, 0));
    assert_int_equal(series_blocks_most(&usual), 3 * PROCESSES_MOST * 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepted_blocks),
        cmocka_unit_test(no_blocks),
        cmocka_unit_test(cores_of_accepted_blocks),
        cmocka_unit_test(complete_series),
        cmocka_unit_test(waiting),
        cmocka_unit_test(several_processes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
