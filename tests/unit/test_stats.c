#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

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
    assert_true(none.n == 0 && isnan(none.median));
    assert_true(isinf(stats_relative_half_width(none)));
    struct interval two = stats_bootstrap_median(x, 2, 0.95, 1);
    assert_true(two.low <= two.median && two.median <= two.high);
    assert_true(two.low == fmin(x[0], x[1]) && two.high == fmax(x[0], x[1]));
    struct interval all = stats_bootstrap_median(x, 40, 0.95, 1);
    assert_true(all.low < all.median && all.median < all.high);
    assert_true(all.low > 10.2 && all.high < 10.8);
    struct interval again = stats_bootstrap_median(x, 40, 0.95, 1);
    assert_true(again.low == all.low && again.high == all.high);
    struct interval few = stats_bootstrap_median(x, 8, 0.95, 1);
    assert_true(few.high - few.low > all.high - all.low);
}

static void geometric_means(void **arg)
{
    (void)arg;
    const double x[] = {1, 4, 2}, alike[] = {3, 3, 3};
    assert_true(isnan(stats_geometric_mean(x, 0).median));
    struct interval one = stats_geometric_mean(x, 1);
    assert_true(one.n == 1 && one.median == 1 && one.low == 1 && one.high == 1);
    /* ln 2 apart each: standard error ln 2 / sqrt 3, times t of two degrees of freedom */
    struct interval three = stats_geometric_mean(x, 3);
    double factor = exp(4.303 * log(2) / sqrt(3));
    assert_float_equal(three.median, 2, 1e-12);
    assert_float_equal(three.high, 2 * factor, 1e-9);
    assert_float_equal(three.low, 2 / factor, 1e-9);
    struct interval none = stats_geometric_mean(alike, 3);
    assert_float_equal(none.high - none.low, 0, 1e-12);
}

/* Twelve processes of a program that is a tenth slower in half of them: 95 of 100 intervals hold.
 */
static void geometric_mean_coverage(void **arg)
{
    (void)arg;
    int hits = 0;
    enum { TRIALS = 400, N = 12 };
    for (uint64_t t = 0; t < TRIALS; t++) {
        double x[N];
        for (uint64_t i = 0; i < N; i++)
            x[i] = rng_at(rng_child(5, t), i) % 2 ? 1.1 : 1;
        struct interval ci = stats_geometric_mean(x, N);
        hits += ci.low <= sqrt(1.1) && sqrt(1.1) <= ci.high;
    }
    assert_in_range(hits, TRIALS * 90 / 100, TRIALS * 99 / 100);
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
        cmocka_unit_test(geometric_means),
        cmocka_unit_test(geometric_mean_coverage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
