/* Two checks of times that were measured on a device. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "measure/device_clock.h"

enum { BLOCKS = 3 };

static void clocks(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        double seconds, device; /* of one problem; device 0: the driver reports none */
        int reps;
        double waited; /* share */
        enum verdict wanted;
    } table[] = {
        {"no events", 0.1, 0, 1, 0, VERDICT_PASS},
        {"they agree", 0.1, 0.099, 1, 0, VERDICT_PASS},
        {"a tenth apart", 0.1, 0.0901, 1, 0, VERDICT_PASS},
        {"more than that", 0.1, 0.08, 1, 0, VERDICT_CLOCK_MISMATCH},
        {"more than that, because the driver had no core", 0.1, 0.08, 1, 0.2, VERDICT_PASS},
        {"the events tell more", 0.1, 0.12, 1, 0, VERDICT_CLOCK_MISMATCH},
        {"a millisecond apart", 0.001, 0.0001, 1, 0, VERDICT_PASS},
        {"a millisecond apart in each of ten", 0.001, 0.0001, 10, 0, VERDICT_CLOCK_MISMATCH},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct block b[BLOCKS] = {0};
        struct finding f = FINDING_INIT;
        for (int k = 0; k < BLOCKS; k++)
            b[k] = (struct block){.yard = {1, 1},
                                  .others = 1,
                                  .waited = table[i].waited,
                                  .reps = table[i].reps,
                                  .unit = table[i].seconds,
                                  .device = table[i].device};
        device_compare_clocks(b, BLOCKS, 1, &f);
        if (f.verdict != table[i].wanted || !f.message[0] != (f.verdict == VERDICT_PASS))
            fail_msg("%s: %s", table[i].what, f.message);
    }
}

static void copies(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        double copied, yardstick; /* yardstick 0: cannot be compared */
        bool rejected;            /* all but the first block: they show nothing */
        enum verdict wanted;
    } table[] = {
        {"no copies", 0, 0, false, VERDICT_PASS},
        {"as long as the yardstick's", 0.01, 0.01, false, VERDICT_PASS},
        {"shorter", 0.005, 0.01, false, VERDICT_PASS},
        {"a little longer", 0.0105, 0.01, false, VERDICT_PASS},
        {"too long", 0.0107, 0.01, false, VERDICT_CLOCK_MISMATCH},
        {"too long in the accepted block", 0.0107, 0.01, true, VERDICT_CLOCK_MISMATCH},
        {"not comparable", 0.1, 0, false, VERDICT_PASS},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct block b[BLOCKS] = {0};
        struct finding f = FINDING_INIT;
        for (int k = 0; k < BLOCKS; k++) {
            const bool rejected = table[i].rejected && k > 0;
            b[k] = (struct block){.yard = {1, rejected ? 1.5 : 1},
                                  .others = 1,
                                  .copied = rejected ? 0 : table[i].copied,
                                  .yard_copied = table[i].yardstick};
        }
        device_compare_copies(b, BLOCKS, 1, &f);
        if (f.verdict != table[i].wanted)
            fail_msg("%s: %s", table[i].what, f.message);
    }
    struct finding f = FINDING_INIT;
    device_compare_copies(NULL, 0, 1, &f);
    device_compare_clocks(NULL, 0, 1, &f);
    assert_int_equal(f.verdict, VERDICT_PASS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clocks),
        cmocka_unit_test(copies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
