/* What the blocks of a case say: speed, time, and what its threads did. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/summary.h"

enum { BLOCKS = 10, EACH = 2, EXPECTED = 3 };

/* A block without interference, of a unit that takes one second. */
static struct block quiet(int i)
{
    return (struct block){.yard = {EXPECTED, EXPECTED},
                          .unit = 1,
                          .others = 1,
                          .alone = EXPECTED,
                          .others_alone = 1,
                          .seconds = 1,
                          .process = i / EACH,
                          .cores = NAN,
                          .busiest = NAN};
}

static void nothing(void **arg)
{
    (void)arg;
    const struct summary s = summary_of(NULL, 0, NAN, 0.1);
    assert_true(isnan(s.relative.median) && isnan(s.seconds.median) && isnan(s.end_to_end.median));
    assert_true(isnan(s.cores) && isnan(s.busiest));
    assert_true(s.relative.n == 0 && s.seconds.n == 0 && s.end_to_end.n == 0);
    assert_false(s.precise);
}

/* The speed is the estimate's. The time is what the yardstick is expected to take, over the speed:
 * fast and slow change places. */
static void time_from_speed(void **arg)
{
    (void)arg;
    static const struct {
        const char *what;
        double yard, unit; /* factors, of the blocks of the second process */
        double alone;
        double precision;
    } table[] = {
        {"quiet", 1, 1, 1, 0.01},
        {"one process is slower", 1, 1.2, 1, 0.01},
        {"one process has interference", 1.5, 1.5, 1.5, 0.5},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct block b[BLOCKS];
        for (int k = 0; k < BLOCKS; k++) {
            b[k] = quiet(k);
            if (b[k].process == 1) {
                b[k].yard[0] *= table[i].yard;
                b[k].yard[1] *= table[i].yard;
                b[k].unit *= table[i].unit;
                b[k].alone = EXPECTED * table[i].alone;
            }
        }
        const struct estimate e = estimate_of(b, BLOCKS, EXPECTED, table[i].precision);
        const struct summary s = summary_of(b, BLOCKS, EXPECTED, table[i].precision);
        if (s.relative.median != e.relative.median || s.relative.low != e.relative.low ||
            s.relative.high != e.relative.high || s.precise != e.precise)
            fail_msg("%s: not the estimate", table[i].what);
        if (s.seconds.median != EXPECTED / e.relative.median ||
            s.seconds.low != EXPECTED / e.relative.high ||
            s.seconds.high != EXPECTED / e.relative.low || s.seconds.n != BLOCKS)
            fail_msg("%s: %g (%g ... %g) s", table[i].what, s.seconds.median, s.seconds.low,
                     s.seconds.high);
    }
}

/* Accepted blocks, or else all. */
static void times_with_copies(void **arg)
{
    (void)arg;
    static const struct {
        const char *what;
        double end_to_end[4];
        bool rejected[4];
        size_t n;
        double median;
    } table[] = {
        {"no device", {0, 0, 0, 0}, {false, false, false, false}, 0, NAN},
        {"all accepted", {2, 3, 4, 7}, {false, false, false, false}, 4, 3.5},
        {"one accepted", {2, 3, 4, 7}, {true, true, false, true}, 1, 4},
        {"none accepted", {2, 3, 4, 7}, {true, true, true, true}, 4, 3.5},
        {"accepted blocks without", {2, 0, 4, 0}, {true, false, true, false}, 2, 3},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct block b[4];
        for (int k = 0; k < 4; k++) {
            b[k] = quiet(k);
            b[k].end_to_end = table[i].end_to_end[k];
            b[k].waited = table[i].rejected[k] ? 0.5 : 0;
        }
        const struct interval is = summary_of(b, 4, EXPECTED, 0.1).end_to_end;
        if (is.n != table[i].n || (is.n ? is.median != table[i].median : !isnan(is.median)))
            fail_msg("%s: %g of %zu", table[i].what, is.median, is.n);
    }
}

/* A program that works in parallel does so in some accepted block. */
static void cores_of_the_best_block(void **arg)
{
    (void)arg;
    static const struct {
        const char *what;
        double cores[3], busiest[3];
        bool rejected[3];
        double wanted_cores, wanted_busiest;
    } table[] = {
        {"the most cores", {1.5, 3.5, 2}, {0.9, 0.3, 0.5}, {false, false, false}, 3.5, 0.3},
        {"accepted only", {1.5, 3.5, 2}, {0.9, 0.3, 0.5}, {false, true, false}, 2, 0.5},
        {"known only", {NAN, 1, NAN}, {NAN, 0.75, NAN}, {false, false, false}, 1, 0.75},
        {"none accepted", {1, 2, 3}, {1, 1, 1}, {true, true, true}, NAN, NAN},
        {"none known", {NAN, NAN, NAN}, {1, 1, 1}, {false, false, false}, NAN, NAN},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct block b[3];
        for (int k = 0; k < 3; k++) {
            b[k] = quiet(k);
            b[k].cores = table[i].cores[k];
            b[k].busiest = table[i].busiest[k];
            b[k].waited = table[i].rejected[k] ? 0.5 : 0;
        }
        const struct summary s = summary_of(b, 3, EXPECTED, 0.1);
        const bool fine = isnan(table[i].wanted_cores) ? isnan(s.cores) && isnan(s.busiest)
                                                       : s.cores == table[i].wanted_cores &&
                                                             s.busiest == table[i].wanted_busiest;
        if (!fine)
            fail_msg("%s: %g cores, busiest %g", table[i].what, s.cores, s.busiest);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing),
        cmocka_unit_test(time_from_speed),
        cmocka_unit_test(times_with_copies),
        cmocka_unit_test(cores_of_the_best_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
