/* What the first result of a unit passes on to the second one, which times it further. */
#include "unit.h"

#include <stdlib.h>

#include "model/protection.h"
#include "proctor/unit_again.h"

TEST(what_was_found_out_before_stays)
{
    struct unit_result *first = unit_result_new("alice.simd"), *now = unit_result_new("alice.simd");
    struct unit_state s = {.protections = ~0U};
    first->cases = calloc(2, sizeof *first->cases);
    first->cases_count = 2;
    first->cases[0].case_index = 7;
    first->cases[1].samples = calloc(1, sizeof *first->cases[1].samples);
    first->cases[1].samples_count = 1;
    unit_again_take_over(first, &s, now);
    assert_int_equal(now->cases_count, 1); /* the other one is timed further */
    assert_int_equal(now->cases[0].case_index, 7);
    unit_result_free(first);
    unit_result_free(now);
}

/* If the time is confirmed by now, no driver is started again: those of the first result count. */
TEST(drivers_of_both_results_count)
{
    struct unit_result *first = unit_result_new("alice.simd"), *now = unit_result_new("alice.simd");
    const unsigned both = PROTECTION_BIT(PROTECTION_LANDLOCK) | PROTECTION_BIT(PROTECTION_SECCOMP);
    struct unit_state s = {.protections = ~0U};
    first->protections = (int)both;
    first->peak_memory = 2e6;
    now->peak_memory = 1e6;
    unit_again_take_over(first, &s, now);
    assert_int_equal(s.protections, both);
    assert_true(now->peak_memory == 2e6);
    unit_result_free(first);
    unit_result_free(now);
}

TESTS(NULL, NULL)
