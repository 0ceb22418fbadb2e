/* How long the yardstick takes: a table. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "measure/expected_time.h"

static void the_last_one_is_kept(void **arg)
{
    (void)arg;
    static const struct {
        struct shape shape;
        double seconds; /* NAN: only read */
        double wanted;  /* of the shape afterwards; NAN: unknown */
    } steps[] = {
        {{.dim = {64, 64, 64}}, NAN, NAN},  {{.dim = {64, 64, 64}}, 0.5, 0.5},
        {{.dim = {64, 64, 65}}, NAN, NAN},  {{.dim = {64, 64, 65}}, 0.75, 0.75},
        {{.dim = {64, 64, 64}}, NAN, 0.5},  {{.dim = {64, 64, 64}}, 0.25, 0.25},
        {{.dim = {64, 64, 65}}, NAN, 0.75},
    };
    struct expected_times t = {0};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        if (!isnan(steps[i].seconds))
            expected_times_set(&t, steps[i].shape, steps[i].seconds);
        const double is = expected_times_get(&t, steps[i].shape);
        if (isnan(steps[i].wanted) ? !isnan(is) : is != steps[i].wanted)
            fail_msg("step %zu: %g", i, is);
    }
    assert_int_equal(t.count, 2);
    expected_times_free(&t);
    assert_int_equal(t.count, 0);
    assert_true(isnan(expected_times_get(&t, steps[0].shape)));
    expected_times_free(&t); /* nothing to free */
}

static void rates_by_number_of_cores(void **arg)
{
    (void)arg;
    struct expected_times t = {0};
    assert_true(isnan(expected_core_rate(&t, 2)));
    expected_core_rate_add(&t, 2, 1.5);
    expected_core_rate_add(&t, 4, 1.25);
    assert_true(expected_core_rate(&t, 2) == 1.5);
    assert_true(isnan(expected_core_rate(&t, 3)));
    assert_true(expected_core_rate(&t, 4) == 1.25);
    expected_times_free(&t);
    assert_true(isnan(expected_core_rate(&t, 4)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_last_one_is_kept),
                                       cmocka_unit_test(rates_by_number_of_cores)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
