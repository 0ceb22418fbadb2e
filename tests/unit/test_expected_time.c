/* The expected time of the yardstick, after some of its times were seen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "measure/expected_time.h"

enum { MOST = 6 };

static void expected_times(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        double recorded, before;
        double times[MOST]; /* of the yardstick, one after the other; 0: no more */
        bool may_wait;
        double expected;
        uint64_t disturbed; /* ns; a block takes 10 */
    } table[] = {
        {"nothing seen", 2, 2, {0}, false, 2, 0},
        {"undisturbed, and the wait budget is used up", 2, 2, {2, 2.02, 2}, false, 2, 0},
        {"always disturbed, and no time to wait is left",
         2,
         2,
         {2.6, 2.5, 2.4, 2.5},
         false,
         2.4,
         30},
        {"undisturbed once", 2, 2, {2.6, 2.1, 2.1, 2.5}, false, 2, 30},
        {"two undisturbed runs, but not in a row", 2, 2, {2.6, 2, 2.5, 2}, false, 2, 30},
        {"always disturbed so far", 2, 2, {2.6, 2.5}, true, 2, 10},
        {"undisturbed again after that", 2, 2.4, {2.1, 2.1}, true, 2.1, 0},
        {"slower still", 2, 2.4, {3, 3}, false, 3, 10},
        {"faster than the record", 2, 2, {1.5, 1.6}, false, 2, 0},
        {"faster than the record, after a slow time", 2, 2.4, {1.5, 1.6}, true, 2, 0},
        {"no record", (double)NAN, (double)INFINITY, {2.5, 2.4, 2.6}, false, 2.4, 0},
        {"no record, slower now", (double)NAN, 2, {2.5, 2.4, 2.6}, false, 2, 20},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct expected_time p = {.recorded = table[i].recorded, .seconds = table[i].before};
        struct interference w = INTERFERENCE_INIT;
        for (int k = 0; k + 1 < MOST && table[i].times[k] > 0 && table[i].times[k + 1] > 0; k++)
            interference_note(&w, table[i].times[k], table[i].times[k + 1], &p, 10);
        expected_time_update(&p, &w, table[i].may_wait);
        if (p.seconds != table[i].expected || w.disturbed_ns != table[i].disturbed)
            fail_msg("%s: %g, %d ns", table[i].what, p.seconds, (int)w.disturbed_ns);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expected_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
