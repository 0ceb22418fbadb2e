/* Where the names of points stand in the picture of a roofline. */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "report/roofline_picture.h"

#include "load_assignment.h"

/* The height of the name in a picture whose only point is at y, with roofs at 100 and 50 GOP/s. */
static double label_at(const struct assignment *a, double y)
{
    const struct roofline_frame frame = {
        .width = 800, .height = 600, .left = 80, .right = 40, .top = 50, .bottom = 80};
    const struct run run = {.assignment = (struct assignment *)a};
    const struct speed speed = {.shape = {.dim = {64, 64, 64}}, .launch = {1, 1}};
    struct point point = {.speed = &speed, .tier = 0, .x = 50, .y = y, .operations = 1};
    char first[] = "i32", second[] = "f64";
    const struct picture p = {.frame = &frame,
                              .run = &run,
                              .submission = -1,
                              .point = &point,
                              .points = 1,
                              .roof = {{10, 100, first, "1"}, {0, 50, second, "2"}},
                              .roofs = 2,
                              .left = 1,
                              .right = 300,
                              .low = 0.5,
                              .high = 300};
    FREED_BY(strbuf_free) struct strbuf script = STRBUF_INIT;
    double x = 0, at = 0;
    roofline_script(&p, &script);
    const char *label = strstr(script.s, "naive");
    assert_non_null(label);
    assert_int_equal(sscanf(strstr(label, " at "), " at %lf,%lf", &x, &at), 2);
    return at;
}

TEST(names_and_roofs)
{
    struct assignment *a = loaded("%s%s", HEAD, TIER);
    /* On a roof, it moves below, and not onto the next one. */
    assert_in_range((unsigned)label_at(a, 100), 60, 95);
    assert_in_range((unsigned)label_at(a, 50), 30, 47);
    /* Far from all, it stays. */
    assert_int_equal((int)label_at(a, 10), 10);
    assignment_free(a);
}

TESTS(test_dir_make, test_dir_remove)
