/* Combinations of a sweep, and what becomes of an assignment that sweeps. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/proc.h"
#include "model/sweep.h"

static int tiles[] = {8, 16, 32}, unrolls[] = {1, 4};
static char tile[] = "TILE", unroll[] = "UNROLL";

TEST(points)
{
    struct axis axes[] = {{tile, tiles, 3}, {unroll, unrolls, 2}};
    const struct tier t = {.axes = axes, .axes_count = 2, .sweep = true};
    static const char *const texts[] = {"TILE=8 UNROLL=1",  "TILE=8 UNROLL=4",  "TILE=16 UNROLL=1",
                                        "TILE=16 UNROLL=4", "TILE=32 UNROLL=1", "TILE=32 UNROLL=4"};
    assert_int_equal(sweep_points(&t), 6);
    for (unsigned p = 0; p < 6; p++) {
        OWNED char *text = sweep_point_text(&t, p);
        OWNED_TEXTS char **defines = sweep_defines(&t, p);
        assert_string_equal(text, texts[p]);
        assert_int_equal(sweep_value(&t, p, 0), tiles[p / 2]);
        assert_int_equal(sweep_value(&t, p, 1), unrolls[p % 2]);
        assert_memory_equal(defines[0], "-DTILE=", 7);
        assert_memory_equal(defines[1], "-DUNROLL=", 9);
        assert_null(defines[2]);
    }
}

TEST(no_axes)
{
    const struct tier t = {.sweep = true};
    OWNED char *text = sweep_point_text(&t, 0);
    OWNED_TEXTS char **defines = sweep_defines(&t, 0);
    assert_int_equal(sweep_points(&t), 1);
    assert_string_equal(text, "");
    assert_null(defines[0]);
}

TEST(take_over)
{
    struct shape sizes[] = {{.dim = {64, 64, 64}}, {.dim = {128, 128, 128}}};
    struct assignment a = {.performance = {.sizes = sizes, .sizes_count = 2}};
    a.tiers = calloc(1, sizeof *a.tiers);
    a.tiers_count = 1;
    a.sweeps = calloc(1, sizeof *a.sweeps);
    a.sweeps_count = 1;
    a.tiers[0].kernel = a.sweeps[0].kernel = &kernel_gemm_i32;
    a.sweeps[0].sweep = true;
    sweep_take_over(&a);
    assert_int_equal(a.tiers_count, 2);
    assert_int_equal(a.sweeps_count, 0);
    assert_int_equal(tier_size_count(&a, &a.tiers[0]), 0);
    assert_int_equal(tier_size_count(&a, &a.tiers[1]), 2);
    free(a.tiers);
}

TESTS(NULL, NULL)
