/* Which part of a run on a device is the kernel's, and how late the mask and the copy are. */
#include "unit.h"

#include <math.h>

#include "measure/run_overhead.h"

static const double MS = 1e-3;

TEST(kernel)
{
    static const struct {
        const char *what;
        double overhead, unmask;
        bool inside;
        double most, seconds;
        double kernel, whole; /* ms */
    } table[] = {
        {"nothing was measured", 0, 0, false, 0.5, 5, 5, 5},
        {"what is not the kernel's is subtracted", 0.2, 0, false, 0.5, 5, 4.8, 4.8},
        {"but never more than a share", 0.2, 0, false, 0.5, 0.3, 0.15, 0.15},
        {"even if the run took less than that", 0.2, 0, false, 0.5, 0.1, 0.05, 0.05},
        {"a small overhead of ranks", 0.2, 0, false, 0.1, 5, 4.8, 4.8},
        {"one that was measured on a busy node", 1.2, 0, false, 0.1, 5, 4.5, 4.5},
        {"the mask came off before", 0.2, 1, false, 0.5, 5, 4.8, 3.8},
        {"the mask came off inside", 0.2, 1, true, 0.5, 5, 3.8, 3.8},
        {"it took most of the run", 0.2, 4, true, 0.5, 5, 2.5, 2.5},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const struct run_cost c = {.run = table[i].overhead * MS,
                                   .unmask = table[i].unmask * MS,
                                   .unmask_inside = table[i].inside,
                                   .most = table[i].most};
        const double got = run_kernel_seconds(&c, table[i].seconds * MS),
                     whole = run_whole_seconds(&c, table[i].seconds * MS);
        if (fabs(got - table[i].kernel * MS) > 1e-9 || fabs(whole - table[i].whole * MS) > 1e-9)
            fail_msg("%s: %g s, %g s", table[i].what, got, whole);
    }
}

/* The copy and the mask are judged each on its own: one cannot make up for the other. */
TEST(late)
{
    static const struct {
        const char *what;
        double copy, copied, unmask, unmasked;
        bool inside;
        double wanted; /* ms */
    } table[] = {
        {"there is no copy", 0, 0, 0, 0, false, 0},
        {"faster than expected", 2, 1, 2, 1, false, 0},
        {"5 % slower", 2, 2.1, 2, 2.1, false, 0},
        {"and 0.1 ms", 2, 2.2, 2, 2.2, false, 0},
        {"0.3 ms more than that", 2, 2.5, 2, 2.2, false, 0.3},
        {"the mask was, too", 2, 2.5, 1, 1.65, false, 0.8},
        {"a fast mask is no excuse for a late copy", 2, 2.5, 9, 1, false, 0.3},
        {"a fast copy is none for a late mask", 9, 1, 2, 2.5, false, 0.3},
        {"the mask came off inside the run", 2, 2.5, 1, 9, true, 0.3},
        {"a short copy", 0.01, 5.1105, 0, 0, false, 5},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const struct run_cost c = {.copy = table[i].copy * MS,
                                   .unmask = table[i].unmask * MS,
                                   .unmask_inside = table[i].inside};
        const double got = run_late(&c, table[i].copied * MS, table[i].unmasked * MS);
        if (fabs(got - table[i].wanted * MS) > 1e-9)
            fail_msg("%s: %g s", table[i].what, got);
    }
}

/* Costs grow with the bytes that a layout copies: the mask with those of the inputs, the copy back
 * with those of the output. */
TEST(of_a_layout)
{
    enum { MANY = 1000 }; /* problems */
    static const struct kernel one_input = {.inputs = 1}, two_inputs = {.inputs = 2};
    static struct harness h;
    struct arena a = {.kernel = &two_inputs,
                      .layout = {.form.inputs = 2,
                                 .in = {{.map_bytes = 3000}, {.map_bytes = 1000}},
                                 .out = {.map_bytes = 500}}};
    struct driver_process device, unit = {.empty_run = 3 * MS};
    struct run_overhead d = {.harness = &h,
                             .device = &device,
                             .run = 1 * MS,
                             .unmask = {1 * MS, 1e-6},
                             .copy = {2 * MS, 1e-6}};
    h.kernel = &two_inputs;
    struct run_cost c = run_overhead_of(&d, &unit, &a, MANY);
    assert_true(fabs(c.run - 1 * MS) < 1e-9);
    assert_true(fabs(c.unmask - 5 * MS) < 1e-9 && !c.unmask_inside);
    assert_true(fabs(c.copy - 2.5 * MS) < 1e-9);
    assert_true(c.most == 0.5);
    h.kernel = &one_input;
    assert_true(run_overhead_of(&d, &unit, &a, MANY).unmask_inside);
    h.kernel = &two_inputs;
    assert_true(run_overhead_of(&d, &unit, &a, 1).unmask_inside);
    d.device = NULL; /* ranks: what their own driver took */
    c = run_overhead_of(&d, &unit, &a, MANY);
    assert_true(c.run == unit.empty_run && c.copy == 0 && c.unmask == 0 && c.most == 0.1);
}

TEST(range)
{
    static const struct kernel k = {
        .inputs = 1, .in = {{"A", TYPE_F64, 0, 1, 0}}, .out = {"C", TYPE_F64, 0, 2, 0}};
    static const struct shape shapes[] = {
        {.dim = {10, 10, 10}}, {.dim = {10, 1, 30}}, {.dim = {5, 9, 2}}, {.dim = {10, 30, 1}}};
    const struct {
        const char *what;
        size_t n, least, most;
    } table[] = {
        {"one shape", 1, 0, 0},
        {"the output counts", 2, 0, 1},
        {"the first one need not be an extreme", 3, 2, 1},
        {"of equal ones the first", 4, 2, 1},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const struct shape_range r = run_overhead_range(&k, shapes, table[i].n);
        if (!shape_equal(r.least, shapes[table[i].least]) ||
            !shape_equal(r.most, shapes[table[i].most]))
            fail_msg("%s", table[i].what);
    }
}

TESTS(NULL, NULL)
