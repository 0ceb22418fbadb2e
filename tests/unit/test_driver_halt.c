/* What is charged for processor time off the clock. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "supervise/driver_halt.h"

static void charge(void **arg)
{
    (void)arg;
    static const struct {
        const char *name;
        uint64_t cpu_from, cpu_to, from, to, charge;
    } table[] = {
        {"nothing ran", 500, 500, 1000, 9000, 0},
        {"one thread for a part of the time", 500, 700, 1000, 9000, 200},
        {"several threads cannot save more than the time that has passed", 0, 9000, 1000, 4000,
         3000},
        {"a process is gone, and its processor time with it", 500, 0, 1000, 9000, 0},
        {"no time has passed", 500, 900, 1000, 1000, 0},
        {"the second moment is the earlier one", 500, 900, 1000, 400, 0},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        uint64_t ns = off_the_clock(table[i].cpu_from, table[i].cpu_to, table[i].from, table[i].to);
        if (ns != table[i].charge)
            fail_msg("%s: %llu", table[i].name, (unsigned long long)ns);
    }
}

static void before_go(void **arg)
{
    (void)arg;
    struct driver_process d = DRIVER_PROCESS_INIT;
    d.halted_cpu_ns = 100;
    d.halted_ns = 1000;
    assert_int_equal(driver_charge_before_go(&d, 400, 5000), 0); /* it went on: the clock ran */
    d.halted = true;
    assert_int_equal(driver_charge_before_go(&d, 400, 5000), 300);
    assert_int_equal(driver_charge_before_go(&d, 400, 1200), 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(charge),
        cmocka_unit_test(before_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
