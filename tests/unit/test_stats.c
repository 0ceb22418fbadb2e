#include "unit.h"

#include <math.h>

#include "base/stats.h"

TEST(medians)
{
    const double odd[] = {3, 1, 2}, even[] = {4, 1, 3, 2};
    assert_true(isnan(stats_median(odd, 0)));
    assert_true(stats_median(odd, 1) == 3);
    assert_true(stats_median(odd, 3) == 2);
    assert_true(stats_median(even, 4) == 2.5);
    assert_true(odd[0] == 3 && even[0] == 4); /* input untouched */
    assert_true(stats_quantile(even, 4, 0) == 1 && stats_quantile(even, 4, 1) == 4);
}

TEST(half_widths)
{
    static const struct {
        struct interval i;
        double half;
    } table[] = {
        {{NAN, NAN, NAN, 0, true}, INFINITY},  {{2, 1, 3, 1, false}, INFINITY},
        {{0, -1, 1, 9, false}, INFINITY},      {{NAN, 1, 3, 9, false}, INFINITY},
        {{2, 0, INFINITY, 9, true}, INFINITY}, {{2, 1, 3, 9, false}, 0.5},
        {{-2, -3, -1, 9, false}, 0.5},         {{2, 2, 2, 2, false}, 0},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (stats_relative_half_width(table[i].i) != table[i].half)
            fail_msg("%zu: %g", i, stats_relative_half_width(table[i].i));
    const struct interval none = stats_unknown();
    assert_true(none.n == 0 && isnan(none.value) && isnan(none.low) && isnan(none.high));
    assert_false(none.unconfirmed);
}

/* What is computed from an unconfirmed number is unconfirmed. */
TEST(unconfirmed)
{
    for (int i = 0; i < 4; i++) {
        const struct interval a = {6, 5, 7, 9, i & 1}, b = {3, 2, 4, 9, i & 2};
        assert_int_equal(stats_scaled(a, 2).unconfirmed, i & 1);
        assert_int_equal(stats_over(a, b).unconfirmed, i != 0);
        assert_int_equal(stats_times(a, b).unconfirmed, i != 0);
    }
}

/* Of the logarithms, half widths are added as squares: 3 and 4 give 5. */
TEST(quotients_and_products)
{
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
                                   6 * exp(unit * table[i].a_higher), 9, false};
        const struct interval b = {3, 3 * exp(-unit * table[i].b_lower),
                                   3 * exp(unit * table[i].b_higher), 7, false};
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
    const struct interval half = stats_scaled((struct interval){6, 4, 8, 9, false}, 0.5);
    assert_true(half.value == 3 && half.low == 2 && half.high == 4 && half.n == 9);
    const struct interval unknown = stats_unknown();
    assert_true(isnan(stats_over(half, unknown).low) && isnan(stats_times(unknown, half).high));
}

TESTS(NULL, NULL)
