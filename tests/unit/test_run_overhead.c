/* Which part of a run on a device is the kernel's, and how late a copy is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "measure/run_overhead.h"

static const double MS = 1e-3;

static void kernel(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        double overhead, most, seconds, wanted; /* ms */
    } table[] = {
        {"nothing was measured", 0, 0.5, 5, 5},
        {"what is not the kernel's is subtracted", 0.2, 0.5, 5, 4.8},
        {"but never more than a share", 0.2, 0.5, 0.3, 0.15},
        {"even if the run took less than that", 0.2, 0.5, 0.1, 0.05},
        {"a small overhead of ranks", 0.2, 0.1, 5, 4.8},
        {"one that was measured on a busy node", 1.2, 0.1, 5, 4.5},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const struct run_cost c = {.run = table[i].overhead * MS, .most = table[i].most};
        const double got = run_kernel_seconds(&c, table[i].seconds * MS);
        if (fabs(got - table[i].wanted * MS) > 1e-9)
            fail_msg("%s: %g s", table[i].what, got);
    }
}

static void late(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        double copy, copied, wanted; /* ms */
    } table[] = {
        {"there is no copy", 0, 0, 0},
        {"faster than expected", 2, 1, 0},
        {"5 % slower", 2, 2.1, 0},
        {"and 0.1 ms", 2, 2.2, 0},
        {"0.3 ms more than that", 2, 2.5, 0.3},
        {"a short one", 0.01, 5.1105, 5},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const struct run_cost c = {.copy = table[i].copy * MS};
        const double got = run_copy_late(&c, table[i].copied * MS);
        if (fabs(got - table[i].wanted * MS) > 1e-9)
            fail_msg("%s: %g s", table[i].what, got);
    }
}

/* Costs grow with the bytes that a layout copies. */
static void of_a_layout(void **state)
{
    (void)state;
    struct arena a = {.layout = {.inputs = 2,
                                 .in = {{.map_bytes = 3000}, {.map_bytes = 1000}},
                                 .out = {.map_bytes = 500}}};
    struct driver_process device, unit = {.empty_run = 3 * MS};
    struct run_overhead d = {.device = &device, .run = {1 * MS, 1e-6}, .copy = {2 * MS, 1e-6}};
    const struct run_cost c = run_overhead_of(&d, &unit, &a);
    assert_true(fabs(c.run - 5 * MS) < 1e-9);
    assert_true(fabs(c.copy - 2.5 * MS) < 1e-9);
    assert_true(c.most == 0.5);
    d.device = NULL; /* ranks: what their own driver took */
    assert_true(run_overhead_of(&d, &unit, &a).run == unit.empty_run);
    assert_true(run_overhead_of(&d, &unit, &a).copy == 0);
    assert_true(run_overhead_of(&d, &unit, &a).most == 0.1);
}

static void range(void **state)
{
    (void)state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernel),
        cmocka_unit_test(late),
        cmocka_unit_test(of_a_layout),
        cmocka_unit_test(range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
