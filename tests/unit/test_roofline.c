/* The roofline model: roofs, bounds, and the sentences that people read. */
#include "unit.h"

#include <math.h>
#include <string.h>

#include "model/roofline.h"

static bool same(double a, double b)
{
    return (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-12 * fabs(b);
}

TEST(roofs)
{
    static const struct {
        const char *what;
        double operations, bytes, seconds, peak, bandwidth; /* seconds: for 10^9 operations */
        double intensity, gops, roof, fraction;
        enum bound bound;
    } table[] = {
        {"no peak", 1e9, 1e9, 1, NAN, 10, 1, 1, NAN, NAN, BOUND_UNKNOWN},
        {"a peak of nothing", 1e9, 1e9, 1, 0, 10, 1, 1, NAN, NAN, BOUND_UNKNOWN},
        {"no bandwidth", 1e9, 1e9, 1, 10, NAN, 1, 1, NAN, NAN, BOUND_UNKNOWN},
        {"a negative bandwidth", 1e9, 1e9, 1, 10, -1, 1, 1, NAN, NAN, BOUND_UNKNOWN},
        {"no operands", 1e9, 0, 1, 10, 10, NAN, 1, NAN, NAN, BOUND_UNKNOWN},
        {"no time", 1e9, 1e9, NAN, 100, 10, 1, NAN, 10, NAN, BOUND_MEMORY},
        {"below the slope", 1e9, 2e9, 1, 100, 10, 0.5, 1, 5, 0.2, BOUND_MEMORY},
        {"below the level", 1e9, 1e8, 0.1, 50, 10, 10, 10, 50, 0.2, BOUND_COMPUTE},
        {"on the ridge", 1e9, 2e8, 0.1, 50, 10, 5, 10, 50, 0.2, BOUND_COMPUTE},
        {"above the slope", 1e9, 2e9, 0.1, 100, 10, 0.5, 10, 5, 2, BOUND_MEMORY},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const struct roofline r = roofline_of(table[i].operations, table[i].bytes, table[i].seconds,
                                              table[i].peak, table[i].bandwidth);
        if (!same(r.intensity, table[i].intensity) || !same(r.gops, table[i].gops) ||
            !same(r.roof, table[i].roof) || !same(r.fraction, table[i].fraction) ||
            r.bound != table[i].bound)
            fail_msg("%s: %g %g %g %g %s", table[i].what, r.intensity, r.gops, r.roof, r.fraction,
                     bound_name(r.bound));
    }
}

/* A kernel with so many operations per byte that reaches this fraction of its roof: 50 GOP/s and
 * 10 GB/s. */
static struct roofline line(double intensity, double fraction)
{
    const double roof = fmin(50, intensity * 10);
    return roofline_of(1e9, 1e9 / intensity, 1 / (roof * fraction), 50, 10);
}

TEST(advice)
{
    static const struct roofline_place core = {.workers = 1, .efficiency = 1},
                                       cores = {.workers = 4, .efficiency = 0.9},
                                       unbalanced = {.workers = 4, .efficiency = 0.3},
                                       alone = {.workers = 4, .efficiency = NAN},
                                       cached = {.workers = 1, .cache = 4e9, .efficiency = 1},
                                       small_cache = {.workers = 1, .cache = 1e6, .efficiency = 1},
                                       rough = {.workers = 1, .efficiency = 1, .rough = true},
                                       gpu = {.device = true, .workers = 1, .efficiency = 1};
    static const struct {
        double intensity, fraction;
        const struct roofline_place *place;
        const char *says;
    } table[] = {
        {NAN, 0.5, &core, ""},
        {100, NAN, &core, ""},
        {100, 0.018, &core,
         "Arithmetic limits this kernel (100 operations per byte). It reaches 1.8% of what "
         "arithmetic allows (50.0 GOP/s). Next: compute in blocks that stay in the caches, with "
         "vector "
         "instructions."},
        {100, 0.2, &core,
         "It reaches 20% of what arithmetic allows (50.0 GOP/s). Next: keep a tile"},
        {100, 0.6, &core, "Next: unroll the inner loop"},
        {100, 0.8, &core, "80% of what arithmetic allows (50.0 GOP/s). Little is left to gain."},
        {100, 1.05, &core, "Little is left to gain."},
        {100, 1.2, &core, "It uses faster units than multiply-adds of this type"},
        {0.3125, 0.46, &core,
         "Memory bandwidth limits this kernel (0.312 operations per byte). It reaches 46% of what "
         "memory allows (10.0 GB/s). Next: use vector instructions, and merge passes"},
        {0.3125, 0.05, &core, "Next: read and write memory in the order"},
        {0.3125, 0.7, &core, "Next: read each operand once"},
        {0.3125, 0.95, &core, "Little is left to gain, unless it moves less data."},
        {0.3125, 2, &cached,
         "It reaches 200% of what memory allows (10.0 GB/s). That is possible because "
         "the operands fit in the caches: try a larger size."},
        {0.3125, 2, &core, "because a part of the operands stays in the caches."},
        {0.3125, 2, &small_cache, "because a part of the operands stays in the caches."},
        {100, 0.2, &cores, "Next: keep a tile"},
        {100, 0.2, &alone, "Next: keep a tile"},
        {100, 0.2, &unbalanced, "Next: give all workers equal shares"},
        {100, 0.9, &unbalanced, "Little is left to gain."},
        {0.3125, 2, &rough,
         "The time is too rough to say how close it is to what memory allows (10.0 GB/s)."},
        {100, 0.018, &rough,
         "It reaches about 2% of what arithmetic allows (50.0 GOP/s). Next: compute in blocks"},
        {100, 0.05, &gpu, "share tiles in shared memory."},
        {100, 0.3, &gpu, "in registers."},
        {100, 0.7, &gpu, "tensor cores"},
        {0.3125, 0.05, &gpu, "(coalesced access)."},
        {0.3125, 0.3, &gpu, "start more threads"},
        {0.3125, 0.7, &gpu, "load 16 bytes at a time"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const struct roofline r = line(table[i].intensity, table[i].fraction);
        char text[ROOFLINE_TEXT];
        roofline_advice(&r, table[i].place, text);
        if (!strstr(text, table[i].says) || (!table[i].says[0] && text[0]))
            fail_msg("%zu: '%s' lacks '%s'", i, text, table[i].says);
    }
}

/* The largest numbers fit, and are written as numbers. */
TEST(large_numbers)
{
    const struct roofline_place gpu = {.device = true, .workers = 1, .efficiency = 1};
    const struct roofline r = roofline_of(1e18, 1e14, 1e6, 1234567, 3350);
    char text[ROOFLINE_TEXT];
    roofline_advice(&r, &gpu, text);
    assert_non_null(strstr(text, "(10000 operations per byte)"));
    assert_non_null(strstr(text, "(1234567 GOP/s)"));
    assert_true(strlen(text) < ROOFLINE_TEXT - 1);
}

TESTS(NULL, NULL)
