/* Can a time be true? What nobody knows speaks for it. */
#include "unit.h"

#include <math.h>
#include <string.h>

#include "model/plausible.h"

/* 100 x 100 x 100: two million operations, 120000 bytes. */
static const struct shape cube = {.dim = {100, 100, 100}};

static const char *const names[] = {"plausible", "doubtful", "impossible"};

struct row {
    const char *what;
    double gops; /* of the case */
    int ranks, threads;
    const char *device; /* that computed */
    struct node_record n;
    double yardstick; /* GOP/s, at 200 x 200 x 200 */
    int reps;
    enum plausible wanted;
    const char *says;
};

static void check(const struct row *r)
{
    const struct kernel *k = kernel_find("gemm", TYPE_I32);
    struct calibration cal = {.shape = {200, 200, 200}};
    struct node_record n = r->n;
    cal.record = r->yardstick > 0 ? 0.016 / r->yardstick : (double)NAN;
    n.calibrations = &cal;
    n.calibrations_count = 1;
    struct sample x = {.reps = r->reps ? r->reps : 1};
    const struct case_result c = {.launch = {r->ranks, r->threads},
                                  .samples = &x,
                                  .samples_count = 1,
                                  .estimate.seconds.value = 0.002 / r->gops};
    const struct unit_result u = {.device = (char *)r->device};
    const struct plausibility p = plausible_case(k, &n, &u, &c, cube);
    char text[200] = "";
    if (p.ceiling > 0)
        plausible_text(&p, &n, &c, text, sizeof text);
    if (p.is != r->wanted || !strstr(text, r->says))
        fail_msg("%s: %s, not %s: '%s'", r->what, names[p.is], names[r->wanted], text);
}

TEST(arithmetic)
{
    static const struct row rows[] = {
        ROW("no peak", 1e9, 1, 1, "", {.peak_gops = NAN}, 10, 0, PLAUSIBLE_YES, ""),
        ROW("a peak of nothing", 1e9, 1, 1, "", {.peak_gops = 0}, 10, 0, PLAUSIBLE_YES, ""),
        ROW("four times", 40, 1, 1, "", {.peak_gops = 10}, 0, 0, PLAUSIBLE_NO,
            "40.0 GOP/s, 400% of the 10.0 GOP/s that 1 core of this node reaches at most"),
        ROW("1.3 times", 26, 1, 2, "", {.peak_gops = 10}, 0, 0, PLAUSIBLE_FLAGGED,
            "26.0 GOP/s, 130% of the 20.0 GOP/s that 2 cores of this node reach at most"),
        ROW("three times is not yet impossible", 59.9, 1, 2, "", {.peak_gops = 10}, 0, 0,
            PLAUSIBLE_FLAGGED, "300%"),
        ROW("8-bit tiles of two cores, unlike the yardstick", 128, 1, 2, "",
            {.peak_gops = 10, .tiles = true}, 8, 0, PLAUSIBLE_FLAGGED,
            "128 GOP/s, 640% of the 20.0 GOP/s"),
        ROW("just less than 20 times", 399, 1, 2, "", {.peak_gops = 10, .tiles = true}, 0, 0,
            PLAUSIBLE_FLAGGED, "1995%"),
        ROW("more than tiles can", 401, 1, 2, "", {.peak_gops = 10, .tiles = true}, 0, 0,
            PLAUSIBLE_NO, "2005%"),
        ROW("tiles without a peak", 1e9, 1, 1, "", {.peak_gops = NAN, .tiles = true}, 10, 0,
            PLAUSIBLE_YES, ""),
        ROW("threads and ranks count", 59.9, 3, 2, "", {.peak_gops = 10}, 0, 0, PLAUSIBLE_YES,
            "100%"),
        ROW("a fifth more is what clocks do", 11.9, 1, 1, "", {.peak_gops = 10}, 0, 0,
            PLAUSIBLE_YES, "119%"),
        ROW("a peak from a slow minute", 26, 1, 1, "", {.peak_gops = 5}, 24, 0, PLAUSIBLE_YES,
            "108% of the 24.0 GOP/s"),
        ROW("a slow yardstick takes nothing", 26, 1, 1, "", {.peak_gops = 25}, 1, 0, PLAUSIBLE_YES,
            "104%"),
        ROW("a GPU beside a host's yardstick", 1e5, 1, 1, "NVIDIA X", {.peak_gops = 10}, 0, 0,
            PLAUSIBLE_YES, ""),
        ROW("no GPU beside a GPU's yardstick", 1e5, 1, 1, "host", {.peak_gops = 10, .device = true},
            0, 0, PLAUSIBLE_YES, ""),
        ROW("tensor cores, as the yardstick", 1.17e5, 1, 1, "NVIDIA H200",
            {.peak_gops = 3.3e4, .device = true}, 1.17e5, 0, PLAUSIBLE_YES, "100%"),
        ROW("tensor cores, unlike the yardstick", 2e5, 1, 1, "NVIDIA X",
            {.peak_gops = 3.3e4, .device = true}, 2e4, 0, PLAUSIBLE_FLAGGED, "606%"),
        ROW("more than tensor cores can", 7.85e5, 1, 1, "NVIDIA H200",
            {.peak_gops = 3.3e4, .device = true}, 1.17e5, 0, PLAUSIBLE_NO,
            "785000 GOP/s, 671% of the 117000 GOP/s that this GPU reaches at most"),
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        check(&rows[i]);
}

/* 100 problems: 12 MB in 0.2 s / GOP/s. Caches of two cores, of 1 MB in all: 11 MB from memory. */
TEST(memory)
{
    const uint64_t l2 = 100000, l3 = 400000;
    const struct row rows[] = {
        ROW("an unknown cache", 100, 1, 1, "", {.peak_gops = 1000, .bandwidth_gbs = 0.1}, 0, 100,
            PLAUSIBLE_YES, "GOP/s"),
        ROW("an unknown bandwidth", 100, 1, 1, "",
            {.peak_gops = 1000, .bandwidth_gbs = NAN, .l2 = l2, .l3 = l3}, 0, 100, PLAUSIBLE_YES,
            "GOP/s"),
        ROW("one problem, which the caches hold", 100, 1, 1, "",
            {.peak_gops = 1000, .bandwidth_gbs = 0.1, .l2 = l2, .l3 = l3}, 0, 1, PLAUSIBLE_YES,
            "GOP/s"),
        ROW("5.5 GB/s of 1.5 times 1", 100, 1, 1, "",
            {.peak_gops = 1000, .bandwidth_gbs = 1, .l2 = l2, .l3 = l3}, 0, 100, PLAUSIBLE_NO,
            "5.5 GB/s, 367% of the 1.5 GB/s that the memory of 1 core of this node reaches at "
            "most"),
        ROW("of 1.5 times 2", 100, 1, 1, "",
            {.peak_gops = 1000, .bandwidth_gbs = 2, .l2 = l2, .l3 = l3}, 0, 100, PLAUSIBLE_FLAGGED,
            "183%"),
        ROW("two threads have twice the bandwidth, and more cache", 100, 1, 2, "",
            {.peak_gops = 1000, .bandwidth_gbs = 2, .l2 = l2, .l3 = l3}, 0, 100, PLAUSIBLE_YES,
            "88%"),
        ROW("an impossible rate of memory behind a larger one of tiles, which may be true", 100, 1,
            1, "", {.peak_gops = 10, .bandwidth_gbs = 0.85, .tiles = true, .l2 = l2, .l3 = l3}, 0,
            100, PLAUSIBLE_NO, "5.5 GB/s, 431% of the 1.3 GB/s"),
        ROW("the larger one of two impossible rates", 100, 1, 1, "",
            {.peak_gops = 10, .bandwidth_gbs = 0.85, .l2 = l2, .l3 = l3}, 0, 100, PLAUSIBLE_NO,
            "1000% of the 10.0 GOP/s"),
        ROW("a GPU's own cache", 100, 1, 1, "X",
            {.peak_gops = 1000, .bandwidth_gbs = 4, .device = true, .l2 = 1000000}, 0, 100,
            PLAUSIBLE_FLAGGED,
            "5.5 GB/s, 138% of the 4.0 GB/s that the memory of this GPU reaches"),
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        check(&rows[i]);
}

/* What was not timed has no rate. */
TEST(untimed)
{
    const struct kernel *k = kernel_find("gemm", TYPE_I32);
    const struct node_record n = {.peak_gops = 10};
    struct sample x = {.reps = 1};
    const struct unit_result u = {.device = (char[]){""}};
    const struct case_result fast = {
        .launch = {1, 1}, .samples = &x, .samples_count = 1, .estimate.seconds.value = 1e-6};
    struct case_result c = fast;
    assert_int_equal(plausible_case(k, &n, &u, &c, cube).is, PLAUSIBLE_NO);
    assert_int_equal(plausible_case(k, NULL, &u, &c, cube).is, PLAUSIBLE_YES);
    c.samples_count = 0;
    assert_int_equal(plausible_case(k, &n, &u, &c, cube).is, PLAUSIBLE_YES);
    c = fast;
    c.oversubscribed = true;
    assert_int_equal(plausible_case(k, &n, &u, &c, cube).is, PLAUSIBLE_YES);
    c = fast;
    c.estimate.seconds.value = NAN;
    assert_int_equal(plausible_case(k, &n, &u, &c, cube).is, PLAUSIBLE_YES);
}

TESTS(NULL, NULL)
