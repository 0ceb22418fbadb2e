#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "../helpers/rng_unit.h"
#include "base/rng.h"
#include "base/stats.h"

static void medians(void **arg)
{
    (void)arg;
    const double odd[] = {3, 1, 2}, even[] = {4, 1, 3, 2};
    assert_true(isnan(stats_median(odd, 0)));
    assert_true(stats_median(odd, 1) == 3);
    assert_true(stats_median(odd, 3) == 2);
    assert_true(stats_median(even, 4) == 2.5);
    assert_true(odd[0] == 3 && even[0] == 4); /* input untouched */
    assert_true(stats_quantile(even, 4, 0) == 1 && stats_quantile(even, 4, 1) == 4);
}

static void intervals(void **arg)
{
    (void)arg;
    double x[40];
    for (int i = 0; i < 40; i++)
        x[i] = 10 + rng_unit(rng_at(7, (uint64_t)i));
    struct interval none = stats_bootstrap_median(x, 0, 0.95, 1);
    assert_true(none.n == 0 && isnan(none.value));
    assert_true(isinf(stats_relative_half_width(none)));
    struct interval two = stats_bootstrap_median(x, 2, 0.95, 1);
    assert_true(two.low <= two.value && two.value <= two.high);
    assert_true(two.low == fmin(x[0], x[1]) && two.high == fmax(x[0], x[1]));
    struct interval all = stats_bootstrap_median(x, 40, 0.95, 1);
    assert_true(all.low < all.value && all.value < all.high);
    assert_true(all.low > 10.2 && all.high < 10.8);
    struct interval again = stats_bootstrap_median(x, 40, 0.95, 1);
    assert_true(again.low == all.low && again.high == all.high);
    struct interval few = stats_bootstrap_median(x, 8, 0.95, 1);
    assert_true(few.high - few.low > all.high - all.low);
}

/* Of the logarithms, half widths are added as squares: 3 and 4 give 5. */
static void quotients_and_products(void **arg)
{
    (void)arg;
    static const double unit = 0.01;
    static const struct {
        const char *what;
        double a_lower, a_higher, b_lower, b_higher; /* widths, in units of the logarithm */
        double over_lower, over_higher, times_lower, times_higher;
    } table[] = {
        {"exact", 0, 0, 0, 0, 0, 0, 0, 0},
        {"one is exact", 3, 2, 0, 0, 3, 2, 3, 2},
        {"the other is exact", 0, 0, 3, 2, 2, 3, 3, 2},
        {"both alike", 3, 3, 4, 4, 5, 5, 5, 5},
        {"what is large above makes a quotient small", 3, 0, 0, 4, 5, 0, 3, 4},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const struct interval a = {6, 6 * exp(-unit * table[i].a_lower),
                                   6 * exp(unit * table[i].a_higher), 9};
        const struct interval b = {3, 3 * exp(-unit * table[i].b_lower),
                                   3 * exp(unit * table[i].b_higher), 7};
        const struct interval over = stats_over(a, b), times = stats_times(a, b);
        print_message("%s\n", table[i].what);
        assert_int_equal(over.n, 7);
        assert_int_equal(times.n, 7);
        assert_float_equal(over.value, 2, 1e-12);
        assert_float_equal(over.low, 2 * exp(-unit * table[i].over_lower), 1e-12);
        assert_float_equal(over.high, 2 * exp(unit * table[i].over_higher), 1e-12);
        assert_float_equal(times.value, 18, 1e-12);
        assert_float_equal(times.low, 18 * exp(-unit * table[i].times_lower), 1e-12);
        assert_float_equal(times.high, 18 * exp(unit * table[i].times_higher), 1e-12);
    }
    const struct interval half = stats_scaled((struct interval){6, 4, 8, 9}, 0.5);
    assert_true(half.value == 3 && half.low == 2 && half.high == 4 && half.n == 9);
    const struct interval unknown = {NAN, NAN, NAN, 0};
    assert_true(isnan(stats_over(half, unknown).low) && isnan(stats_times(unknown, half).high));
}

/* A 95 % interval holds the true median about 95 times in 100. */
static void coverage(void **arg)
{
    (void)arg;
    int hits = 0;
    enum { TRIALS = 400, N = 15 };
    for (uint64_t t = 0; t < TRIALS; t++) {
        double x[N];
        for (uint64_t i = 0; i < N; i++)
            x[i] = rng_unit(rng_at(rng_child(99, t), i));
        struct interval ci = stats_bootstrap_median(x, N, 0.95, t);
        hits += ci.low <= 0.5 && 0.5 <= ci.high;
    }
    assert_in_range(hits, TRIALS * 88 / 100, TRIALS * 99 / 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(medians),
        cmocka_unit_test(intervals),
        cmocka_unit_test(coverage),
        cmocka_unit_test(quotients_and_products),

    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
