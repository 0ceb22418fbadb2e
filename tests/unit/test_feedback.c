/* The sentences of a student's report. */
#include "base/strbuf.h"
#include "unit.h"

#include <math.h>
#include <string.h>

#include "kernel/kernel.h"
#include "report/dimension_hint.h"
#include "report/feedback.h"
#include "report/own_check.h"
#include "report/smallest.h"

TEST(points)
{
    static const struct {
        struct unit_score score;
        bool part;
        const char *text;
    } table[] = {
        {{.max_points = 10}, false, "(does not count)"},
        {{.max_points = 10}, true, ""},
        {{.max_points = 10, .not_gradable = "no record"},
         false,
         "(its times cannot be graded: no record; no points are lost)"},
        {{.correct_points = 6, .points = 6, .max_points = 10, .counted = true},
         false,
         "6.0 of 10 points"},
        /* a late penalty, and points that a person gave */
        {{.correct_points = 6, .speed_points = 2, .points = 4, .max_points = 10, .counted = true},
         false,
         "4.0 of 10 points"},
        {{.points = 1, .max_points = 1, .counted = true, .not_gradable = "no record"},
         false,
         "1.0 of 1 point"},
        {{.points = 2.5, .max_points = 2.5, .counted = true}, false, "2.5 of 2.5 points"},
        {{.points = 1.5, .max_points = 1.5, .counted = true}, false, "1.5 of 1.5 points"},
        {{.points = 2.25, .max_points = 2.25, .counted = true}, false, "2.25 of 2.25 points"},
        {{.points = 2, .max_points = 2.25, .counted = true}, false, "2.00 of 2.25 points"},
        {{.points = 8.3333, .max_points = 10, .counted = true}, false, "8.3 of 10 points"},
        {{.points = 0.3, .max_points = 0.1 + 0.2, .counted = true}, false, "0.3 of 0.3 points"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const struct subset only = {.untimed = table[i].part};
        OWNED char *text = feedback_points(&table[i].score, &only);
        assert_string_equal(text, table[i].text);
    }
}

static struct curve_point from_2[] = {{2, 0}, {12, 0.5}, {40, 1}},
                          flat[] = {{1, 0}, {5, 0.5}, {9, 0.5}, {20, 1}},
                          low[] = {{0, 0.5}, {1, 1}};

/* What feedback_next() says of the first of the speeds, which are all of one unit. */
static void assert_next(const struct speed_rule rule[2], enum speed_metric metric,
                        const struct speed *speed, unsigned count, const char *want)
{
    struct speed_rule rules[2] = {rule[0], rule[1]};
    struct speed speeds[2] = {speed[0], speed[count - 1]};
    struct tier tier = {.points = {.metric = metric, .speed = rules, .speed_count = 2}};
    struct assignment a = {.tiers = &tier, .tiers_count = 1};
    struct unit unit = {0};
    struct plan plan = {.units = &unit, .units_count = 1};
    const struct run r = {.assignment = &a, .plan = &plan};
    const struct scoreboard b = {.speed = speeds, .speed_count = count};
    OWNED char *text = feedback_next(&r, &b, &speeds[0]);
    if (strcmp(text, want) != 0)
        fail_msg("'%s' instead of '%s'", text, want);
}

TEST(next_points)
{
    static const struct {
        struct speed_rule rule[2];
        double speedup;
        const char *text;
    } table[] = {
        /* the first threshold above gives no points */
        {{{.every_size = true, .points = 10, .curve = from_2, .curve_count = 3}},
         1.06,
         "speed-up 12.0: +5.0 points"},
        {{{.every_size = true, .points = 10, .curve = from_2, .curve_count = 3}},
         7,
         "speed-up 12.0: +2.5 points"},
        {{{.every_size = true, .points = 10, .curve = from_2, .curve_count = 3}},
         12,
         "speed-up 40.0: +5.0 points"},
        {{{.every_size = true, .points = 10, .curve = from_2, .curve_count = 3}}, 40, ""},
        {{{.every_size = true, .points = 10, .curve = flat, .curve_count = 4}},
         6,
         "speed-up 20.0: +5.0 points"},
        /* so few that they would be printed as 0.0 */
        {{{.every_size = true, .points = 10, .curve = from_2, .curve_count = 3}},
         11.95,
         "speed-up 40.0: +5.0 points"},
        {{{.every_size = true, .points = 0.04, .curve = from_2, .curve_count = 3}}, 1, ""},
        /* the next rule */
        {{{.every_size = true, .points = 10, .curve = low, .curve_count = 2},
          {.every_size = true, .points = 8, .curve = from_2, .curve_count = 3}},
         1.5,
         "speed-up 12.0: +4.0 points"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const double v = table[i].speedup;
        const struct speed s = {.graded = true, .speedup = {v, v, v, 9}};
        assert_next(table[i].rule, METRIC_SPEEDUP, &s, 1, table[i].text);
    }
}

/* A launch of unit 0 that reached a share of the reference's speed at a size. */
static struct speed reached(long size, double fraction, bool graded)
{
    return (struct speed){.shape = {{size, size, size}},
                          .graded = graded,
                          .fraction = {fraction, fraction, fraction, 9}};
}

/* Only the best launch is paid. */
TEST(next_points_of_a_launch)
{
    static struct curve_point curve[] = {{0, 0}, {0.6, 0.4}, {1, 1}};
    static const struct speed_rule every[2] = {
        {.every_size = true, .points = 15, .curve = curve, .curve_count = 3}};
    static const struct speed_rule both[2] = {
        {.every_size = true, .points = 10, .curve = curve, .curve_count = 3},
        {.shape = {{64, 64, 64}}, .points = 5, .curve = curve, .curve_count = 3}};
    static const struct speed_rule other[2] = {
        {.shape = {{128, 128, 128}}, .points = 5, .curve = curve, .curve_count = 3}};
    const struct {
        const struct speed_rule *rule;
        struct speed speed[2]; /* the row is of the first one */
        const char *text;
    } table[] = {
        {every,
         {reached(64, 0.5, true), reached(64, 0.3, true)},
         "60.0% of the reference's speed: +1.0 points"},
        {every,
         {reached(64, 0.5, true), reached(64, 0.8, true)},
         "100% of the reference's speed: +4.5 points"},
        {every, {reached(64, 0.5, true), reached(64, 1, true)}, ""},
        {every, {reached(64, 0.5, true), reached(64, 0.998, true)}, ""},
        {every,
         {reached(64, 0.5, true), reached(128, 1, true)},
         "60.0% of the reference's speed: +1.0 points"},
        {every,
         {reached(64, 0.5, true), reached(64, 1, false)},
         "60.0% of the reference's speed: +1.0 points"},
        {every, {reached(64, 0.5, false), reached(64, 0.3, true)}, ""},
        {every, {reached(64, (double)NAN, true), reached(64, 0.3, true)}, ""},
        {both,
         {reached(64, 0.3, true), reached(64, 0.3, true)},
         "60.0% of the reference's speed: +3.0 points"},
        {both,
         {reached(128, 0.3, true), reached(64, 0.3, true)},
         "60.0% of the reference's speed: +2.0 points"},
        {other, {reached(64, 0.3, true), reached(64, 0.3, true)}, ""},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        assert_next(table[i].rule, METRIC_FRACTION, table[i].speed, 2, table[i].text);
}

/* A race need not show again, also where it showed in each of a few runs. */
TEST(again)
{
    static const struct {
        int failed, runs;
        enum cause cause;
        const char *text, *small;
    } table[] = {
        {1, 1, CAUSE_NONE, "--launch 2x3", "--launch 2x3"},
        {2, 2, CAUSE_RACE, "--launch 2x3 --repeat 10000", "--launch 2x3 --repeat 10000"},
        {1, 100, CAUSE_RACE, "--launch 2x3 --repeat 100000", "--launch 2x3 --repeat 100000"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct case_result c = {.case_index = 7,
                                .launch = {2, 3},
                                .verdict = VERDICT_WRONG_ANSWER,
                                .cause = table[i].cause,
                                .failed_runs = table[i].failed,
                                .runs = table[i].runs};
        struct assignment a = {.kernel = &kernel_gemm_i32};
        const struct run r = {.assignment = &a};
        const struct unit_result u = {
            .unit_id = "alice.mpi",
            .verdict = VERDICT_WRONG_ANSWER,
            .cases = &c,
            .cases_count = 1,
            .smallest = {.launch = {2, 3}, .failed_runs = table[i].failed, .runs = table[i].runs}};
        OWNED char *text = feedback_replay(&u, &c, "r"), *small = smallest_replay(&r, "r", &u);
        assert_string_equal(strstr(text, "--launch"), table[i].text);
        assert_string_equal(strstr(small, "--launch"), table[i].small);
        assert_memory_equal(text, "paragrade replay r alice.mpi 7 ", 31);
    }
}

/* Students run a check of their own; it has the cases of the run, unless its seed is a secret. */
TEST(own_checks)
{
    static const struct {
        enum case_kind kind;
        uint64_t seed;
        const char *graded;
        bool quick;
        const char *check, *export;
    } table[] = {
        {CASE_EDGE, 1, "", false, "-t simd --case 0", "case0 simd 0"},
        {CASE_EDGE, 1, "", true, "-t simd --case 0 --full", "case0 simd 0"},
        {CASE_EDGE, 2, "quick", true, "-t simd --case 0", "case0 simd 0"},
        {CASE_RANDOM, 1, "long", true, "-t simd --case 0 -p long", "case0 simd 0"},
        {CASE_RANDOM, 2, "quick", true, "-t simd", "case0 simd 3x1x2 --values full"},
        {CASE_PERFORMANCE, 1, "quick", true, "-t simd --size 3x1x2", "case0 simd 0"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char name[] = "quick", graded[8], tier_name[] = "simd";
        struct profile quick = {.name = name};
        struct tier tier = {.name = tier_name};
        struct assignment a = {.seed = 1,
                               .kernel = kernel_find("gemm", TYPE_I32),
                               .tiers = &tier,
                               .tiers_count = 1,
                               .profiles = &quick,
                               .profiles_count = table[i].quick};
        snprintf(graded, sizeof graded, "%s", table[i].graded);
        struct unit unit = {0};
        struct plan p = {.seed = table[i].seed, .profile = graded, .units = &unit};
        struct test_case t = {
            .kind = table[i].kind, .shape = {.dim = {3, 1, 2}}, .values = a.kernel->values[0]};
        const struct run r = {.assignment = &a, .plan = &p, .cases = {&t, 1}};
        const struct case_result c = {.case_index = 0};
        OWNED char *check = own_check(&r, 0, &c), *export = own_check_export(&r, 0, &c);
        assert_string_equal(check + strlen("paragrade check "), table[i].check);
        assert_string_equal(export + strlen("paragrade replay --export "), table[i].export);
    }
}

/* Which dimension an index confuses with which, from the sizes that pass. */
TEST(dimensions)
{
    enum { CASES = 8 };
    static const int sizes[CASES][3] = {{1, 9, 4}, {5, 2, 5}, {6, 7, 6},  {4, 4, 4},
                                        {3, 5, 7}, {5, 1, 2}, {8, 4, 16}, {16, 4, 8}};
    static const struct {
        const char *fails; /* a letter for each case */
        const char *says;
    } table[] = {
        {"....xxxx", "sizes with M = K pass, and hardly any others"},
        {"x...xxxx", "with M = K pass"},
        {"....xxx.", "with M = K pass"}, /* one other passes by chance */
        {"....x.x.", ""},                /* and here that would be too many */
        {".x..xxxx", ""},                /* not all of them pass */
        {"....x...", ""},
        {".xx.xxxx", ""}, /* only one size passes */
    };
    struct test_case item[CASES] = {0};
    for (size_t i = 0; i < CASES; i++)
        memcpy(item[i].shape.dim, sizes[i], sizeof sizes[i]);
    struct assignment a = {.kernel = kernel_find("gemm", TYPE_I32)};
    const struct run r = {.assignment = &a, .cases = {item, CASES}};
    for (size_t t = 0; t < sizeof table / sizeof table[0]; t++) {
        struct case_result c[CASES] = {0};
        const struct unit_result u = {.cases = c, .cases_count = CASES};
        for (int i = 0; i < CASES; i++) {
            c[i].case_index = i;
            c[i].verdict = table[t].fails[i] == 'x' ? VERDICT_CRASH : VERDICT_PASS;
        }
        OWNED char *text = dimension_hint(&r, &u);
        if (*table[t].says ? !strstr(text, table[t].says) : *text != '\0')
            fail_msg("%s: '%s' instead of '%s'", table[t].fails, text, table[t].says);
    }
}

TESTS(NULL, NULL)
