/* The yardstick's best times, as a process knows them. */
#include "base/strbuf.h"
#include "unit.h"
#include <math.h>

#include "measure/known_times.h"

static const struct shape small = {.dim = {8, 8, 8}}, large = {.dim = {64, 64, 64}},
                          thin = {.dim = {8, 8, 9}};

TEST(the_best_time_stays)
{
    static const struct {
        struct shape shape;
        double seconds; /* noted */
        double small, large;
        size_t count;
    } table[] = {
        {{.dim = {8, 8, 8}}, NAN, NAN, NAN, 0}, {{.dim = {8, 8, 8}}, 3, 3, NAN, 1},
        {{.dim = {8, 8, 8}}, 4, 3, NAN, 1},     {{.dim = {64, 64, 64}}, NAN, 3, NAN, 1},
        {{.dim = {64, 64, 64}}, 9, 3, 9, 2},    {{.dim = {8, 8, 8}}, NAN, 3, 9, 2},
        {{.dim = {8, 8, 8}}, 2, 2, 9, 2},       {{.dim = {64, 64, 64}}, INFINITY, 2, 9, 2},
        {{.dim = {64, 64, 64}}, 8, 2, 8, 2},
    };
    struct known_times t = {0};
    assert_true(isnan(known_times_get(&t, small)));
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        known_times_note(&t, table[i].shape, table[i].seconds);
        const double is_small = known_times_get(&t, small), is_large = known_times_get(&t, large);
        if (!(is_small == table[i].small || (isnan(is_small) && isnan(table[i].small))) ||
            !(is_large == table[i].large || (isnan(is_large) && isnan(table[i].large))) ||
            t.count != table[i].count)
            fail_msg("step %zu: %g, %g, %zu shapes", i, is_small, is_large, t.count);
        assert_true(isnan(known_times_get(&t, thin)));
    }
    known_times_free(&t);
    assert_true(t.count == 0 && !t.item);
    known_times_free(&t);
}

/* As many as there are sizes. */
TEST(many)
{
    FREED_BY(known_times_free) struct known_times t = {0};
    for (int i = 1; i <= 100; i++)
        known_times_note(&t, (struct shape){.dim = {i, 1, 1}}, i);
    for (int i = 1; i <= 100; i++)
        assert_true(known_times_get(&t, (struct shape){.dim = {i, 1, 1}}) == i);
    assert_int_equal(t.count, 100);
}

TESTS(NULL, NULL)
