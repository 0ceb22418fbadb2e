/* What drivers make of the records of a profiler. */
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "driver/profile_rows.h"

enum { ROWS = 200 };

static struct pg_profile_row got[ROWS];
static unsigned got_count;

static void keep(const struct pg_profile_row *r)
{
    got[got_count++] = *r;
}

static void take(void)
{
    got_count = 0;
    profile_rows_send(keep);
}

TEST(nothing)
{
    profile_rows_reset();
    take();
    assert_int_equal(got_count, 0);
}

TEST(too_many_rows)
{
    char name[32];
    for (int i = 0; i < ROWS; i++) {
        snprintf(name, sizeof name, "k%d", i);
        assert_non_null(profile_rows_add(PG_KERNEL, name, 0, 1));
    }
    assert_null(profile_rows_add(PG_KERNEL, "one more", 0, 1));
    assert_non_null(profile_rows_add(PG_KERNEL, "k7", 0, 1));
    take();
    assert_int_equal(got_count, ROWS);
    assert_int_equal(got[7].calls, 2);
}

TEST(statistics)
{
    static const struct {
        const char *name;
        uint64_t ns[4];
        unsigned n;
        uint64_t total, min, max;
        double median, stddev;
    } table[] = {
        {"ends before it starts", {(uint64_t)-5}, 1, 0, 0, 0, 0, 0},
        {"one", {70}, 1, 70, 70, 70, 70, 0},
        {"two", {30, 10}, 2, 40, 10, 30, 20, 14.142135623730951},
        {"three", {50, 10, 30}, 3, 90, 10, 50, 30, 20},
        {"four", {10, 10, 20, 1000}, 4, 1040, 10, 1000, 15, 493.35585},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        for (unsigned k = 0; k < table[i].n; k++)
            profile_rows_add(PG_COPY, table[i].name, 1000, 1000 + table[i].ns[k]);
        take();
        const struct pg_profile_row *r = &got[0];
        if (got_count != 1 || r->calls != table[i].n || r->total_ns != table[i].total ||
            r->min_ns != table[i].min || r->max_ns != table[i].max ||
            fabs(r->median_ns - table[i].median) > 1e-6 ||
            fabs(r->stddev_ns - table[i].stddev) > 1e-3)
            fail_msg("%s: %llu calls, %llu in all, %llu..%llu, %g +- %g", table[i].name,
                     (unsigned long long)r->calls, (unsigned long long)r->total_ns,
                     (unsigned long long)r->min_ns, (unsigned long long)r->max_ns, r->median_ns,
                     r->stddev_ns);
    }
}

static uint64_t calls_of(const char *name)
{
    for (unsigned i = 0; i < got_count; i++)
        if (strcmp(got[i].name, name) == 0)
            return got[i].calls;
    return 0;
}

/* Records come when calls end, so the inner one is first. */
TEST(calls_within_calls)
{
    profile_rows_call(LAYER_DRIVER, "cuMemAlloc_v2", 1, 110, 190);
    profile_rows_call(LAYER_RUNTIME, "cudaMalloc_v3020", 1, 100, 200);
    profile_rows_call(LAYER_DRIVER, "cuMemAlloc_v2", 2, 110, 190); /* of another thread */
    profile_rows_call(LAYER_DRIVER, "cuLaunchKernel", 1, 300, 310);
    profile_rows_call(LAYER_DRIVER, "cuCtxSynchronize", 1, 400, 500);
    profile_rows_call(LAYER_RUNTIME, "cudaDeviceSynchronize_v3020", 1, 400, 500);
    take();
    assert_int_equal(calls_of("cudaMalloc"), 1);
    assert_int_equal(calls_of("cuMemAlloc"), 1);
    assert_int_equal(calls_of("cuLaunchKernel"), 1);
    assert_int_equal(calls_of("cudaDeviceSynchronize"), 1);
    assert_int_equal(calls_of("cuCtxSynchronize"), 0);
    assert_int_equal(got_count, 4);
}

TESTS(NULL, NULL)
