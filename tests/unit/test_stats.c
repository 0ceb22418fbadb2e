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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
