/* Defaults, and what a profile changes of an assignment. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "model/assignment.h"

#include "load_assignment.h"

TEST(defaults_and_overlays)
{
    struct assignment *a = loaded(HEAD "slurm: {cpus: 2, partition: big}\n" TIER
                                       "    slurm: {cpus: 8, gres: 'gpu:1'}\n    threads: [1, 2]\n"
                                       "profiles: [{name: quick, random: 3, sizes: [64]}]\n");
    assert_int_equal(a->correctness.random, 30);
    assert_int_equal(a->performance.sizes_count, 5);
    struct resources r = tier_resources(a, &a->tiers[0]);
    assert_int_equal(r.cpus_per_task, 8);
    assert_string_equal(r.partition, "big");
    assert_string_equal(r.gres, "gpu:1");
    assert_int_equal(tier_launch_count(&a->tiers[0]), 2);
    assert_int_equal(tier_launch(&a->tiers[0], 1).threads, 2);
    OWNED char *reference = at("ref");
    assert_string_equal(a->reference, reference);
    struct err e = ERR_INIT;
    assert_int_equal(assignment_prepare(a, false, "slow", NULL, &e), -1);
    assert_non_null(strstr(e.text, "quick"));
    take_profile(a, "quick");
    assert_int_equal(a->correctness.random, 3);
    assert_int_equal(tier_size_count(a, &a->tiers[0]), 1);
    assert_int_equal(tier_size(a, &a->tiers[0], 0).dim[1], 64);
    assignment_free(a);
}

/* A tier's fields win, the others are the assignment's; a profile changes what it names. */
TEST(profile_changes_what_it_names)
{
    struct assignment *a =
        loaded(HEAD "correctness: {random: 9, max: 99, stress_repeat: 7}\n"
                    "performance: {budget: 3s}\n" TIER "    sizes: [32]\n"
                    "profiles:\n"
                    "  - {name: nothing}\n"
                    "  - {name: few, budget: 100ms, precision: 0.5, max: 50, stress_time: 4ms}\n");
    take_profile(a, "nothing");
    assert_int_equal(a->correctness.random, 9);
    assert_int_equal(a->correctness.stress_time_ms, 20);
    assert_int_equal(a->performance.budget_ms, 3000);
    assert_int_equal(tier_size(a, &a->tiers[0], 0).dim[0], 32);
    take_profile(a, "few");
    assert_int_equal(a->correctness.random, 9);
    assert_int_equal(a->correctness.max_dim, 50);
    assert_int_equal(a->correctness.stress_repeat, 7);
    assert_int_equal(a->correctness.stress_time_ms, 4);
    assert_int_equal(a->performance.budget_ms, 100);
    assert_true(a->performance.precision == 0.5);
    assert_int_equal(tier_size_count(a, &a->tiers[0]), 1);
    assignment_free(a);
}

/* The profile replaces the sizes of sweeps, too, and the part is one of what it leaves. */
TEST(prepared_for_a_run)
{
    const struct subset only = {.size = {{64, 64, 64}}, .threads = 2};
    struct err e = ERR_INIT;
    struct assignment *a =
        loaded(HEAD TIER "sweeps: [{name: s, tier: naive, threads: [1, 2], sizes: [32]}]\n"
                         "profiles: [{name: p, sizes: [64]}]\n");
    assert_int_equal(assignment_prepare(a, true, "p", &only, &e), 0);
    assert_int_equal(a->tiers_count, 2);
    assert_true(a->tiers[0].idle && !a->tiers[1].idle);
    assert_int_equal(tier_size(a, &a->tiers[1], 0).dim[0], 64);
    assert_int_equal(tier_launch_count(&a->tiers[1]), 1);
    assignment_free(a);
}

/* A profile limits what can be scored only if it leaves out a size that the assignment measures. */
TEST(profile_limits)
{
    static const struct {
        const char *sizes, *tier;
        bool limits;
    } table[] = {
        {"[64]", "", true},
        {"[64, 32x48x64]", "", true},
        {"[128, 64]", "    sizes: [256]\n", true},
        {"[64, 128, 32x48x64]", "", false},
        {"[256, 32x48x64, 128x128x128, 64]", "", false},
        {"[64]", "    sizes: [64]\n", false},
        {NULL, "", false},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct assignment *a = loaded(HEAD "performance: {sizes: [64, 128, 32x48x64]}\n" TIER "%s"
                                           "profiles: [{name: p%s%s}]\n",
                                      table[i].tier, table[i].sizes ? ", sizes: " : "",
                                      table[i].sizes ? table[i].sizes : "");
        assert_false(a->performance.sizes_left_out);
        take_profile(a, "p");
        if (a->performance.sizes_left_out != table[i].limits)
            fail_msg("row %zu", i);
        assignment_free(a);
    }
}

TESTS(test_dir_make, test_dir_remove)
