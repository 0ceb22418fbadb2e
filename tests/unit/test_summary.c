/* From samples to intervals: which samples count. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "model/summary.h"

static void nothing(void **arg)
{
    (void)arg;
    struct summary s = summary_of(NULL, 0, NAN, 0.1);
    assert_true(isnan(s.seconds.median) && isnan(s.relative.median));
    assert_int_equal(s.seconds.n, 0);
    assert_false(s.precise);
}

static void accepted_ones_count(void **arg)
{
    (void)arg;
    static const struct {
        const char *what;
        bool disturbed[5];
        size_t n;
        double median;
        bool precise; /* at a precision that every interval here meets */
    } table[] = {
        {"none accepted: all count", {true, true, true, true, true}, 5, 3, false},
        {"two accepted: all count", {true, true, false, true, false}, 5, 3, false},
        {"three accepted", {false, true, false, true, false}, 3, 3, true},
        {"three accepted at the end", {true, true, false, false, false}, 3, 4, true},
        {"all accepted", {false, false, false, false, false}, 5, 3, true},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct sample x[5];
        for (int k = 0; k < 5; k++)
            x[k] = (struct sample){1, k + 1, 60, 0, 2 * (k + 1), 0, table[i].disturbed[k], 0};
        struct summary s = summary_of(x, 5, NAN, 10);
        if (s.seconds.n != table[i].n || s.relative.n != table[i].n ||
            s.seconds.median != table[i].median || s.precise != table[i].precise)
            fail_msg("%s: n %zu, median %g, precise %d", table[i].what, s.seconds.n,
                     s.seconds.median, s.precise);
        assert_true(s.end_to_end.n == s.seconds.n && s.end_to_end.median == 2 * s.seconds.median);
        assert_false(summary_of(x, 5, NAN, 1e-9).precise);
    }
}

/* A kernel that is slow in two of three calls is a slow kernel, however many samples are taken. */
static void slow_calls_count(void **arg)
{
    (void)arg;
    for (int disturbed = 0; disturbed < 2; disturbed++) {
        struct sample x[30];
        double apart[30];
        for (int k = 0; k < 30; k++) {
            x[k] = (struct sample){1, k % 3 ? 3 : 1, 60, 0, 0, 0, false, 0};
            apart[k] = disturbed ? 9 : 1;
        }
        assert_int_equal(summary_mark(x, apart, 30, 5).accepted, disturbed ? 0 : 30);
        struct summary s = summary_of(x, 30, 60, 10);
        assert_true(s.seconds.median == 3 && s.seconds.n == 30);
        assert_float_equal(s.relative.median, 20, 1e-9);
    }
}

/* The estimate is in the middle, as a factor, and the interval reaches from one to the other. */
static void assert_between(struct interval i, double low, double high)
{
    assert_float_equal(i.low, low, 1e-9);
    assert_float_equal(i.high, high, 1e-9);
    assert_float_equal(i.median, sqrt(low * high), 1e-9);
}

/* Who slows the yardstick beside his kernel gains nothing: the lower of two answers counts. The
 * interval has the other one as well. */
static void a_slowed_yardstick_gains_nothing(void **arg)
{
    (void)arg;
    struct sample x[8];
    for (int k = 0; k < 8; k++)
        x[k] = (struct sample){1, 1, k < 4 ? 9 : 6, 0, 0, 0, true, 0};
    struct interval i = summary_of(x, 8, 4, 10).relative;
    assert_true(i.median == 4 && i.low == 4);
    assert_float_equal(i.high, 7.5, 1e-9);
    assert_true(summary_of(x, 8, 7, 10).relative.low >= 6);
    assert_true(summary_of(x, 8, NAN, 10).relative.median == 6); /* the fastest that was seen */
    for (int k = 0; k < 8; k++)
        x[k].disturbed = false;
    assert_float_equal(summary_of(x, 8, NAN, 10).relative.median, 7.5, 1e-9);
}

static void slow_ones_are_marked(void **arg)
{
    (void)arg;
    static const struct {
        const char *what;
        double seconds[4], apart[4];
        unsigned wanted;
        bool disturbed[4];
        double level;
    } table[] = {
        {"all alike", {1, 1.01, 1.02, 1}, {1, 1, 1, 1}, 4, {0}, 1.03},
        {"its own time is no reason", {1, 1.2, 9, 1.01}, {1, 1, 1, 1}, 3, {0}, 1.03},
        {"strict while it can be", {1, 1, 1, 1}, {1, 1.05, 1, 1.05}, 2, {0, 1, 0, 1}, 1.03},
        {"milder when it must", {1, 1, 1, 1}, {1, 1.05, 1, 1.05}, 3, {0}, 1.06},
        {"never milder than a tenth", {1, 1, 1, 1}, {1, 2, 3, 4}, 2, {0, 1, 1, 1}, 1.1},
        {"the yardstick was slow", {1, 1, 1, 1}, {1, 1.2, 1.02, 1}, 3, {0, 1, 0, 0}, 1.03},
        {"none accepted", {1, 1, 1, 1}, {9, 9, 9, 9}, 1, {1, 1, 1, 1}, 1.1},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct sample x[4] = {0};
        unsigned accepted = 0;
        for (int k = 0; k < 4; k++) {
            x[k].seconds = table[i].seconds[k];
            x[k].disturbed = k % 2; /* what was there before does not matter */
            accepted += !table[i].disturbed[k];
        }
        struct marking m = summary_mark(x, table[i].apart, 4, table[i].wanted);
        if (m.accepted != accepted || m.level != table[i].level)
            fail_msg("%s: %u accepted at %g", table[i].what, m.accepted, m.level);
        for (int k = 0; k < 4; k++)
            if (x[k].disturbed != table[i].disturbed[k])
                fail_msg("%s: sample %d", table[i].what, k);
        assert_int_equal(summary_strictest(m), table[i].level == 1.03);
    }
    assert_int_equal(summary_mark(NULL, NULL, 0, 3).accepted, 0);
}

static void floors(void **arg)
{
    (void)arg;
    static const struct {
        double x[5];
        unsigned count, wanted;
        double median;
        size_t n;
    } table[] = {
        {{2, 1, 3, 1.01, 1.02}, 5, 3, 1.01, 3},
        {{2, 1, 3, 1.01, 1.05}, 5, 3, 1.01, 3}, /* at a milder level */
        {{2, 1, 3, 4, 5}, 5, 3, 1.5, 2},
        {{7}, 1, 3, 7, 1},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct interval f = summary_floor(table[i].x, table[i].count, table[i].wanted);
        if (f.median != table[i].median || f.n != table[i].n)
            fail_msg("row %zu: %g of %zu", i, f.median, f.n);
    }
    assert_true(isnan(summary_floor(NULL, 0, 3).median));
}

static void relative_is_yardstick_over_unit(void **arg)
{
    (void)arg;
    const struct sample x[] = {
        {1, 2, 8, 0, 0, 0, false, 0}, {1, 4, 8, 0, 0, 0, false, 0}, {1, 8, 8, 0, 0, 0, false, 0}};
    struct summary s = summary_of(x, 3, NAN, 10);
    assert_true(s.relative.median == 2 && s.relative.low >= 1 && s.relative.high <= 4);
    assert_true(s.seconds.median == 4);
    assert_int_equal(s.end_to_end.n, 0); /* no device */
}

/* Three processes of five samples each, the third a tenth slower: each is one observation. */
static void processes_are_observations(void **arg)
{
    (void)arg;
    struct sample x[15];
    double apart[15];
    for (int k = 0; k < 15; k++) {
        x[k] = (struct sample){1, (k < 10 ? 1 : 1.1) + 0.001 * (k % 5), 2, 0, 0, 0, true, k / 5};
        apart[k] = 1;
    }
    assert_int_equal(summary_mark(x, apart, 15, 5).accepted, 15);
    struct summary s = summary_of(x, 15, 2, 0.02);
    assert_float_equal(s.seconds.median, cbrt(1.002 * 1.002 * 1.102), 1e-9);
    assert_float_equal(s.relative.median, 2 / cbrt(1.002 * 1.002 * 1.102), 1e-9);
    assert_true(s.relative.low < 2 / 1.102 && s.relative.high > 2 / 1.002);
    assert_int_equal(s.relative.n, 15);
    assert_false(s.precise);
    for (int k = 10; k < 15; k++)
        x[k].disturbed = true; /* it counts all the same, and nothing is sure */
    s = summary_of(x, 15, 2, 10);
    assert_float_equal(s.seconds.median, cbrt(1.002 * 1.002 * 1.102), 1e-9);
    assert_false(s.precise);
    for (int k = 0; k < 15; k++) {
        x[k].process = 0; /* one process that changed its mind */
        x[k].disturbed = false;
    }
    assert_true(summary_of(x, 15, 2, 0.02).seconds.median == 1.003);
    for (int k = 0; k < 15; k++)
        x[k].disturbed = k >= 5; /* accepted in one process only: this one counts */
    assert_true(summary_of(x, 15, 2, 0.02).seconds.median == 1.002);
}

/* Is the kernel slower, as the yardstick is? Nobody knows: both answers are in the interval. */
static void yardstick_at_other_speeds(void **arg)
{
    (void)arg;
    static const struct {
        const char *what;
        double yardstick, expected;
        double low, high; /* of the relative speed of a unit that takes 1 s */
        bool precise;
    } table[] = {
        {"as expected", 2, 2, 2, 2, true},           {"about", 2.05, 2, 2, 2.05, true},
        {"the node is slow", 2.5, 2, 2, 2.5, false}, {"the node is fast", 1.5, 2, 1.5, 2, false},
        {"nothing known", 2.5, NAN, 2.5, 2.5, true},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct sample x[3];
        for (int k = 0; k < 3; k++)
            x[k] = (struct sample){1, 1, table[i].yardstick, 0, 0, 0, false, 0};
        struct summary s = summary_of(x, 3, table[i].expected, 1e-6);
        print_message("%s\n", table[i].what);
        assert_between(s.relative, table[i].low, table[i].high);
        assert_int_equal(s.precise, table[i].precise);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(yardstick_at_other_speeds),
        cmocka_unit_test(processes_are_observations),
        cmocka_unit_test(a_slowed_yardstick_gains_nothing),
        cmocka_unit_test(slow_calls_count),
        cmocka_unit_test(nothing),
        cmocka_unit_test(accepted_ones_count),
        cmocka_unit_test(slow_ones_are_marked),
        cmocka_unit_test(floors),
        cmocka_unit_test(relative_is_yardstick_over_unit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
