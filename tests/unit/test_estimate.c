/* The rules of measuring: which blocks count, what they say, what to do next. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../simulate/estimate.h"

#define QUIET .others = 1, .alone = 1, .seconds = 0.1

static void which_blocks_count(void **arg)
{
    (void)arg;
    static const struct {
        const char *name;
        struct block b;
        bool accepted;
    } table[] = {
        {"as expected", {.yard = {1, 1}, .unit = {2, 2}, QUIET}, true},
        {"slower before", {.yard = {1.04, 1}, .unit = {2, 2}, QUIET}, false},
        {"slower after", {.yard = {1, 1.04}, .unit = {2, 2}, QUIET}, false},
        {"faster", {.yard = {0.96, 1}, .unit = {2, 2}, QUIET}, false},
        {"within the tolerance", {.yard = {1.029, 0.971}, .unit = {2, 2}, QUIET}, true},
        {"a thread waited", {.yard = {1, 1}, .unit = {2, 2}, QUIET, .waited = 0.03}, false},
        {"another core was slow",
         {.yard = {1, 1}, .unit = {2, 2}, .others = 1.1, .alone = 1, .seconds = 0.1},
         false},
        {"the unit's own time decides nothing", {.yard = {1, 1}, .unit = {2, 200}, QUIET}, true},
        {"no time at all", {.yard = {NAN, 1}, .unit = {2, 2}, QUIET}, false},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (block_accepted(&table[i].b, 1) != table[i].accepted)
            fail_msg("%s", table[i].name);
}

/* Five processes of four blocks, all like this one. */
static struct estimate repeated(struct block b)
{
    struct block all[20];
    for (int i = 0; i < 20; i++) {
        all[i] = b;
        all[i].process = i / 4;
    }
    return estimate_of(all, 20, 1, 0.02);
}

static void near(const char *name, double got, double wanted)
{
    if (!(fabs(got - wanted) < 1e-3 * fabs(wanted)))
        fail_msg("%s: %g instead of %g", name, got, wanted);
}

static void what_blocks_say(void **arg)
{
    (void)arg;
    static const struct {
        const char *name;
        struct block b;
        double median, low, high;
        bool precise;
    } table[] = {
        {"quiet", {.yard = {1, 1}, .unit = {2, 2}, QUIET}, 0.5, 0.5, 0.5, true},
        {"one long run", {.yard = {1, 1}, .unit = {2, NAN}, QUIET}, 0.5, 0.5, 0.5, true},
        /* Between "the unit feels all of it" and "the unit feels nothing of it". */
        {"accepted, 2 % slower",
         {.yard = {1.02, 1.02}, .unit = {2, 2}, QUIET},
         0.505,
         0.495,
         0.515,
         true},
        /* The yardstick was as slow without the unit: the node is. */
        {"the node is half as fast",
         {.yard = {2, 2}, .unit = {4, 4}, .others = 1, .alone = 2, .seconds = 0.1},
         0.5,
         0.25,
         1,
         false},
        /* It was not: perhaps the unit makes it slow. */
        {"the yardstick is half as fast beside the unit",
         {.yard = {2, 2}, .unit = {2, 2}, QUIET},
         0.5,
         0.5,
         2,
         false},
        {"the unit's threads waited for half of the time",
         {.yard = {1, 1}, .unit = {2, 2}, QUIET, .waited = 0.5},
         0.5,
         0.5,
         1,
         false},
        {"the node is faster than expected",
         {.yard = {0.8, 0.8}, .unit = {1.6, 1.6}, .others = 1, .alone = 0.8, .seconds = 0.1},
         0.5,
         0.5,
         0.625,
         false},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct estimate e = repeated(table[i].b);
        near(table[i].name, e.relative.median, table[i].median);
        near(table[i].name, e.relative.low, table[i].low);
        near(table[i].name, e.relative.high, table[i].high);
        if (e.precise != table[i].precise)
            fail_msg("%s: precise", table[i].name);
    }
}

static void nothing_says_nothing(void **arg)
{
    (void)arg;
    struct estimate e = estimate_of(NULL, 0, 1, 0.02);
    assert_true(isnan(e.relative.median) && !e.precise && e.processes == 0);
    const struct block one = {.yard = {1, 1}, .unit = {2, 2}, QUIET};
    e = estimate_of(&one, 1, 1, 0.02);
    assert_false(e.precise);
    assert_true(e.relative.low <= 0.5 && e.relative.high >= 0.5);
}

/* A rejected block beside accepted ones of its process changes nothing. */
static void rejected_blocks_are_left_out(void **arg)
{
    (void)arg;
    struct block b[20];
    for (int i = 0; i < 20; i++) {
        b[i] = (struct block){.yard = {1, 1}, .unit = {2, 2}, QUIET, .process = i / 4};
        if (i % 4 == 0)
            b[i].yard[0] = b[i].unit[0] = b[i].unit[1] = 9;
    }
    struct estimate e = estimate_of(b, 20, 1, 0.02);
    near("median", e.relative.median, 0.5);
    assert_int_equal(e.accepted, 15);
    assert_int_equal(e.processes, 5);
    assert_true(e.precise);
}

static void what_to_do_next(void **arg)
{
    (void)arg;
    enum { MOST = 64 };
    static const struct {
        const char *name;
        unsigned blocks, each; /* and how many of them in a process */
        double seconds, budget, waited, slower, spread;
        bool rejected;
        enum estimate_step next;
    } table[] = {
        {"nothing yet", 0, 4, 0.1, 6, 0, 1, 0, false, ESTIMATE_TAKE},
        {"nothing yet, and the node is slow", 0, 4, 0.1, 6, 0, 1.1, 0, false, ESTIMATE_WAIT},
        {"the wait budget is spent", 0, 4, 0.1, 6, 19, 1.1, 0, false, ESTIMATE_TAKE},
        {"a process goes on", 3, 4, 0.1, 6, 0, 1, 0, false, ESTIMATE_TAKE},
        {"a process is complete", 4, 4, 0.1, 6, 0, 1, 0, false, ESTIMATE_START},
        {"rejected blocks do not complete it", 4, 9, 0.1, 6, 0, 1, 0, true, ESTIMATE_TAKE},
        {"but for a time", 4, 4, 0.1, 6, 19, 1, 0, true, ESTIMATE_START},
        {"four processes are too few", 16, 4, 0.1, 6, 0, 1, 0, false, ESTIMATE_START},
        {"five alike are enough", 20, 4, 0.1, 6, 0, 1, 0, false, ESTIMATE_DONE},
        {"five that differ are not", 20, 4, 0.1, 6, 0, 1, 0.1, false, ESTIMATE_START},
        {"the budget is spent", 20, 4, 0.4, 6, 0, 1, 0.1, false, ESTIMATE_DONE},
        {"the most processes", 48, 4, 0.01, 6, 0, 1, 0.1, false, ESTIMATE_DONE},
        {"nothing counts, and the wait budget is spent", 20, 4, 1, 6, 0, 1.5, 0, true,
         ESTIMATE_DONE},
        {"long blocks: one a process", 1, 1, 2, 6, 0, 1, 0, false, ESTIMATE_START},
        {"long blocks: three processes", 3, 1, 9, 6, 0, 1, 0.1, false, ESTIMATE_DONE},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct block b[MOST];
        for (unsigned j = 0; j < table[i].blocks; j++) {
            double unit = 2 * (1 + table[i].spread * ((j / table[i].each) % 2));
            b[j] = (struct block){.yard = {1, table[i].rejected ? 1.5 : 1},
                                  .unit = {unit, unit},
                                  .others = 1,
                                  .alone = 1,
                                  .seconds = table[i].seconds,
                                  .process = (int)(j / table[i].each)};
        }
        struct estimate_input p = {.block = b,
                             .count = table[i].blocks,
                             .expected = 1,
                             .precision = 0.02,
                             .budget = table[i].budget,
                             .waited = table[i].waited,
                             .slower = table[i].slower};
        if (estimate_next(&p) != table[i].next)
            fail_msg("%s: %d", table[i].name, (int)estimate_next(&p));
    }
}

static void long_runs_are_single(void **arg)
{
    (void)arg;
    assert_false(estimate_single(0.1, 6));
    assert_false(estimate_single(0.6, 6));
    assert_true(estimate_single(0.61, 6));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(which_blocks_count),   cmocka_unit_test(what_blocks_say),
        cmocka_unit_test(nothing_says_nothing), cmocka_unit_test(rejected_blocks_are_left_out),
        cmocka_unit_test(what_to_do_next),      cmocka_unit_test(long_runs_are_single),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
