/* Where the class is: counts, shares and one digit, and only where nobody can be found in them. */
#include "unit.h"

#include <stdio.h>

#include <math.h>

#include "pages/standing.h"

#include "made_up_class.h"

TEST(bands)
{
    static const struct {
        double points, most;
        int band;
    } table[] = {
        /* no maximum, less than nothing, more than everything, no number */
        {0, 0, -1},
        {5, 0, -1},
        {5, -1, -1},
        {-3, 10, 0},
        {11, 10, 4},
        {INFINITY, 10, 4},
        {NAN, 10, 0},
        {5, NAN, -1},
        /* a limit belongs to the band above it, but for the last one */
        {0, 10, 0},
        {1.999, 10, 0},
        {2, 10, 1},
        {4, 10, 2},
        {6, 10, 3},
        {7.999, 10, 3},
        {8, 10, 4},
        {10, 10, 4},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (standing_band(table[i].points, table[i].most) != table[i].band)
            fail_msg("%g of %g: band %d", table[i].points, table[i].most,
                     standing_band(table[i].points, table[i].most));
}

TEST(small_classes_are_not_anonymous)
{
    static const struct {
        unsigned students;
        bool anonymous;
    } table[] = {{0, false}, {1, false}, {9, false}, {10, true}, {12, true}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const struct source s = class_make(table[i].students);
        FREED_BY(standing_free) struct standing st = {0};
        standing_make(&s, &st);
        assert_int_equal(st.submissions, table[i].students); /* without the reference */
        assert_int_equal(standing_is_anonymous(&st), table[i].anonymous);
        assert_int_equal(st.band[STANDING_BANDS - 1], table[i].students);
    }
}

/* The speed-ups of the middle half are there for ten submissions with a time, and have one digit.
 */
TEST(middle_half)
{
    static const struct {
        unsigned students, without; /* of them: the first ones have no time that counts */
        bool any;
        double low, high;
    } table[] = {
        {0, 0, false, 0, 0},   {9, 0, false, 0, 0}, {12, 3, false, 0, 0},
        {12, 12, false, 0, 0}, {10, 0, true, 3, 8}, {12, 2, true, 5, 10},
    };
    static const double bad[] = {NAN, INFINITY, 0, -1};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const struct source s = class_make(table[i].students);
        for (unsigned k = 0; k < table[i].without; k++)
            class_speed[k + 1].speedup.value = bad[k % 4];
        FREED_BY(standing_free) struct standing st = {0};
        standing_make(&s, &st);
        assert_int_equal(st.tiers, 1);
        assert_int_equal(isfinite(st.tier[0].low), table[i].any);
        if (table[i].any && (st.tier[0].low != table[i].low || st.tier[0].high != table[i].high))
            fail_msg("line %zu: %g to %g", i, st.tier[0].low, st.tier[0].high);
    }
}

TEST(who_handed_in)
{
    static const struct {
        enum verdict verdict;
        bool handed_in, passed;
    } table[] = {{VERDICT_MISSING, false, false},     {VERDICT_SKIPPED, false, false},
                 {VERDICT_INFRA_ERROR, false, false}, {VERDICT_WRONG_ANSWER, true, false},
                 {VERDICT_BUILD_ERROR, true, false},  {VERDICT_PASS, true, true}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const struct source s = class_make(12);
        FREED_BY(standing_free) struct standing st = {0};
        class_result[1].verdict = table[i].verdict;
        class_results[2] = NULL; /* not run yet */
        standing_make(&s, &st);
        assert_int_equal(st.submissions, 12);
        assert_int_equal(st.tier[0].handed_in, 10 + table[i].handed_in);
        assert_int_equal(st.tier[0].passed, 10 + table[i].passed);
    }
}

/* A run without any time, and a tier that nobody was run in. */
TEST(nothing_there)
{
    struct source s = class_make(12);
    struct standing st;
    class_board.speed_count = 0;
    standing_make(&s, &st);
    assert_int_equal(st.tier[0].passed, 12);
    assert_true(isnan(st.tier[0].low) && isnan(st.tier[0].high));
    standing_free(&st);
    class_plan.units_count = 0;
    standing_make(&s, &st);
    assert_int_equal(st.tiers, 0);
    standing_free(&st);
}

TESTS(NULL, NULL)
