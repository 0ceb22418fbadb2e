/* Scoring is arithmetic: made-up results in, points out. */
#include "base/strbuf.h"
#include "unit.h"

#include <math.h>
#include <string.h>

#include "report/score.h"
#include "report/versus.h"

static struct curve_point curve[] = {{1, 0}, {10, 0.5}, {40, 1}};

TEST(curves)
{
    const struct speed_rule rule = {.points = 10, .curve = curve, .curve_count = 3};
    static const struct {
        double value, points;
    } table[] = {{0, 0}, {1, 0}, {5.5, 2.5}, {10, 5}, {25, 7.5}, {40, 10}, {1000, 10}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        assert_true(fabs(score_curve(&rule, table[i].value) - table[i].points) < 1e-12);
    assert_true(score_curve(&rule, NAN) == 0);
}

TEST(what_is_paid)
{
    static const struct {
        struct interval value;
        enum benefit benefit;
        double paid;
    } values[] = {
        {{10, 9, 11, 5, false}, BENEFIT_NONE, 10},
        {{10, 9.8, 10.2, 5, false}, BENEFIT_INTERVAL, 10.2},
        {{10, 1, 100, 5, false}, BENEFIT_INTERVAL, 10.5},
        {{10, 0, INFINITY, 5, true}, BENEFIT_INTERVAL, 10.5},
        {{10, 10, 10, 1, true}, BENEFIT_INTERVAL, 10},
    };
    static const struct {
        double points, rounding, most, rounded;
    } points[] = {
        {7.3, 0, 10, 7.3},        {7.3, 0.5, 10, 7.5},     {7.2, 0.5, 10, 7},
        {9.9, 0.5, 10, 10},       {9.9, 4, 10, 8},         {11, 4, 10, 10},
        {10.1, 0.25, 10.1, 10.1}, {10.05, 0.25, 10.1, 10}, {2.25, 4, 2.25, 2.25},
    };
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        if (fabs(score_value(values[i].value, values[i].benefit) - values[i].paid) > 1e-12)
            fail_msg("value %zu", i);
    assert_true(isnan(score_value(stats_unknown(), BENEFIT_INTERVAL)));
    for (size_t i = 0; i < sizeof points / sizeof points[0]; i++)
        if (fabs(score_round(points[i].points, points[i].rounding, points[i].most) -
                 points[i].rounded) > 1e-12)
            fail_msg("points %zu", i);
}

/* A class of one student and the reference, two tiers, one size. */
static struct shape sizes[] = {{.dim = {64, 64, 64}}};
static int one[] = {1}, upto2[] = {1, 2};
static struct speed_rule speed_rule = {
    .shape = {64, 64, 64}, .points = 10, .curve = curve, .curve_count = 3};
static struct speed_rule fraction_rule = {.every_size = true,
                                          .points = 4,
                                          .curve = (struct curve_point[]){{0, 0}, {1, 1}},
                                          .curve_count = 2};
static struct tier tiers[] = {
    {.name = (char[]){"simd"},
     .kernel = &kernel_gemm_i32,
     .ranks = one,
     .ranks_count = 1,
     .threads = one,
     .threads_count = 1,
     .points = {.correct = 5, .metric = METRIC_SPEEDUP, .speed = &speed_rule, .speed_count = 1}},
    {.name = (char[]){"openmp"},
     .kernel = &kernel_gemm_i32,
     .ranks = one,
     .ranks_count = 1,
     .threads = upto2,
     .threads_count = 2,
     .points =
         {.correct = 6, .metric = METRIC_FRACTION, .speed = &fraction_rule, .speed_count = 1}},
};
static struct assignment assignment = {
    .kernel = &kernel_gemm_i32,
    .performance = {.sizes = sizes, .sizes_count = 1},
    .tiers = tiers,
    .tiers_count = 2,
};
static struct submission submissions[] = {{.id = (char[]){"reference"}, .is_reference = true},
                                          {.id = (char[]){"ann"}}};
static struct unit units[] = {{.index = 0, .submission = 0, .tier = 0},
                              {.index = 1, .submission = 0, .tier = 1},
                              {.index = 2, .submission = 1, .tier = 0},
                              {.index = 3, .submission = 1, .tier = 1}};
static struct plan plan = {
    .submissions = submissions, .submissions_count = 2, .units = units, .units_count = 4};
static struct test_case test_case = {.kind = CASE_PERFORMANCE, .shape = {64, 64, 64}};

/* Yardstick 1 ms, baseline 20 ms on this node. */
static struct calibration calibration = {.shape = {64, 64, 64}, .ratio = {20, 19, 21, 9, false}};
static struct node_record node = {.host = (char[]){"n1"},
                                  .yardstick = (char[]){"simd"},
                                  .peak_gops = 50,
                                  .calibrations = &calibration,
                                  .calibrations_count = 1};
static struct node_record *nodes[] = {&node};

static struct case_result timed(int threads, double relative)
{
    return (struct case_result){
        .launch = {1, threads},
        .estimate = {.seconds = {0.001 / relative, 0.001 / relative, 0.001 / relative, 9, false},
                     .relative = {relative, relative * 0.99, relative * 1.01, 9, false},
                     .typical = 1.25}};
}

static char host[] = "n1", yardstick[] = "simd";

static struct unit_result unit(struct case_result *cases, unsigned n)
{
    return (struct unit_result){
        .host = host, .yardstick = yardstick, .cases = cases, .cases_count = n};
}

static bool any_graded(const struct scoreboard *b, int unit)
{
    for (unsigned i = 0; i < b->speed_count; i++)
        if (b->speed[i].unit == unit && b->speed[i].graded)
            return true;
    return false;
}

TEST(points)
{
    struct case_result ref_simd[] = {timed(1, 1)}, ref_omp[] = {timed(1, 1), timed(2, 2)};
    struct case_result simd[] = {timed(1, 0.5)}, omp[] = {timed(1, 0.5), timed(2, 0.8)};
    struct unit_result u[] = {unit(ref_simd, 1), unit(ref_omp, 2), unit(simd, 1), unit(omp, 2)};
    struct unit_result *up[] = {&u[0], &u[1], &u[2], &u[3]};
    int attempts[4] = {0};
    struct results res = {
        .unit = up, .unit_count = 4, .attempts = attempts, .node = nodes, .node_count = 1};
    struct run run = {
        .assignment = &assignment, .plan = &plan, .cases = {.item = &test_case, .count = 1}};
    struct scoreboard b;
    score_run(&run, &res, &b);
    /* simd: half the yardstick's speed is 10 x the baseline: half of 10 points, and 5 */
    assert_true(fabs(b.unit[2].correct_points - 5) < 1e-9);
    assert_true(fabs(b.unit[2].speed_points - 5) < 1e-9);
    assert_true(b.unit[2].max_points == 15);
    assert_true(any_graded(&b, 2));
    /* openmp: best of 0.5 (one thread) and 0.4 (two) of the reference: half of 4 */
    assert_true(fabs(b.unit[3].speed_points - 2) < 1e-9);
    assert_true(fabs(b.submission[1].points - 18) < 1e-9);
    for (unsigned i = 0; i < b.speed_count; i++) {
        const struct speed *s = &b.speed[i];
        if (s->unit == 3 && s->launch.threads == 2) {
            assert_true(fabs(s->efficiency.value - 0.8) < 1e-9);
            assert_true(s->efficiency.low < 0.8 && s->efficiency.high > 0.8);
            assert_true(fabs(s->speedup.value - 16) < 1e-9);
            assert_true(s->speedup.low < 16 * 0.96 && s->speedup.high > 16 * 1.04);
        }
    }
    scoreboard_free(&b);
    /* too many threads for the cores: not graded */
    omp[0].oversubscribed = omp[1].oversubscribed = true;
    score_run(&run, &res, &b);
    assert_true(b.unit[3].speed_points == 0);
    scoreboard_free(&b);
    omp[0].oversubscribed = omp[1].oversubscribed = false;
    /* wrong: no points at all, however fast */
    u[2].verdict = VERDICT_WRONG_ANSWER;
    /* the cluster's fault: neither earned nor lost */
    u[3].verdict = VERDICT_INFRA_ERROR;
    score_run(&run, &res, &b);
    assert_true(b.unit[2].correct_points == 0 && b.unit[2].speed_points == 0);
    assert_false(any_graded(&b, 2)); /* the times of its right cases do not count either */
    assert_true(b.unit[2].counted && !b.unit[3].counted);
    assert_int_equal(b.submission[1].uncounted, 1);
    assert_true(b.submission[1].max_points == 15);
    scoreboard_free(&b);
}

TEST(partial_and_unknown)
{
    struct case_result simd[] = {timed(1, 0.5), timed(1, 0.5), timed(1, 0.5), timed(1, 0.5)};
    simd[1].verdict = VERDICT_WRONG_ANSWER;
    struct unit_result u = unit(simd, 4);
    u.verdict = VERDICT_WRONG_ANSWER;
    struct unit_result *up[] = {NULL, NULL, &u, NULL};
    int attempts[4] = {0};
    struct results res = {
        .unit = up, .unit_count = 4, .attempts = attempts, .node = nodes, .node_count = 1};
    struct run run = {
        .assignment = &assignment, .plan = &plan, .cases = {.item = &test_case, .count = 1}};
    FREED_BY(scoreboard_free) struct scoreboard b = {0};
    tiers[0].points.partial = true;
    score_run(&run, &res, &b);
    tiers[0].points.partial = false;
    assert_true(fabs(b.unit[2].correct_points - 5 * 0.75) < 1e-9);
    assert_true(b.unit[2].speed_points == 0);
    assert_false(b.unit[3].counted); /* no result yet */
}

/* The reference ran, but has no time to compare with: the student loses no points. One student, one
 * size, the metric is `fraction`. */
TEST(reference_without_times)
{
    static const struct {
        const char *what;
        enum verdict reference, student;
        unsigned failed;     /* of the two launches of the reference: how many, from the first */
        bool oversubscribed; /* these were not wrong, but not timed on the node of the reference */
        bool graded;
    } table[] = {
        {"both have all times", VERDICT_PASS, VERDICT_PASS, 0, false, true},
        {"the reference is wrong", VERDICT_WRONG_ANSWER, VERDICT_PASS, 2, false, false},
        {"it hangs with one thread", VERDICT_TIMEOUT, VERDICT_PASS, 1, false, true},
        {"its times cannot be true", VERDICT_CLOCK_MISMATCH, VERDICT_PASS, 2, false, false},
        {"its node has few cores", VERDICT_PASS, VERDICT_PASS, 2, true, false},
        {"its node was lost", VERDICT_INFRA_ERROR, VERDICT_PASS, 0, false, false},
        {"the student is wrong, too", VERDICT_TIMEOUT, VERDICT_WRONG_ANSWER, 2, false, true},
    };
    struct run run = {
        .assignment = &assignment, .plan = &plan, .cases = {.item = &test_case, .count = 1}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct case_result ref[] = {timed(1, 1), timed(2, 2)}, omp[] = {timed(1, 0.5), timed(2, 1)};
        struct unit_result u[] = {unit(ref, 2), unit(omp, 2)};
        struct unit_result *up[] = {NULL, &u[0], NULL, &u[1]};
        int attempts[4] = {0};
        struct results res = {
            .unit = up, .unit_count = 4, .attempts = attempts, .node = nodes, .node_count = 1};
        FREED_BY(scoreboard_free) struct scoreboard b = {0};
        for (unsigned k = 0; k < table[i].failed; k++) {
            ref[k].oversubscribed = table[i].oversubscribed;
            ref[k].estimate.seconds.n = 0;
            if (!table[i].oversubscribed)
                ref[k].verdict = table[i].reference;
        }
        u[0].verdict = table[i].reference;
        u[1].verdict = table[i].student;
        score_run(&run, &res, &b);
        if (b.unit[3].counted != table[i].graded || !b.unit[3].not_gradable != table[i].graded)
            fail_msg("%s: %s", table[i].what, b.unit[3].not_gradable);
    }
}

/* A node that cannot run the yardstick of the tier uses another one. Speeds relative to different
 * yardsticks have no ratio. */
TEST(other_yardstick)
{
    static char cuda[] = "cuda";
    static const struct {
        const char *what;
        char *yardstick; /* of the reference; the student's is `simd` */
        double fraction; /* NAN: unknown */
    } table[] = {
        {"the same", yardstick, 0.5},
        {"another one", cuda, NAN},
    };
    static struct versus pair = {.tier = 1, .other = 1, .reference = true};
    struct run run = {
        .assignment = &assignment, .plan = &plan, .cases = {.item = &test_case, .count = 1}};
    assignment.yardstick = yardstick;
    assignment.versus = &pair;
    assignment.versus_count = 1;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct case_result ref[] = {timed(2, 2)}, omp[] = {timed(2, 1)};
        struct unit_result u[] = {unit(ref, 1), unit(omp, 1)};
        struct unit_result *up[] = {NULL, &u[0], NULL, &u[1]};
        const double wanted = table[i].fraction;
        int attempts[4] = {0};
        struct results res = {
            .unit = up, .unit_count = 4, .attempts = attempts, .node = nodes, .node_count = 1};
        FREED_BY(scoreboard_free) struct scoreboard b = {0};
        OWNED struct versus_row *rows = NULL;
        u[0].yardstick = table[i].yardstick;
        score_run(&run, &res, &b);
        assert_int_equal(versus_rows(&run, &res, -1, &rows),
                         2); /* of the reference, of the student */
        assert_int_equal(b.speed_count, 2);
        const double got[] = {b.speed[1].fraction.value, rows[1].ratio.value};
        for (int k = 0; k < 2; k++)
            if (isnan(wanted) ? !isnan(got[k]) : fabs(got[k] - wanted) > 1e-9)
                fail_msg("%s: %g", table[i].what, got[k]);
        assert_true(b.unit[3].counted == !isnan(wanted));
        assert_true(fabs(b.speed[0].fraction.value - 1) < 1e-9); /* over itself */
    }
    assignment.versus_count = 0;
}

/* Units have any number of speeds, also none: at the start, in the middle, at the end. */
TEST(speeds_of_a_unit)
{
    enum { UNITS = 5, SPEEDS = 4 };
    struct speed speed[SPEEDS] = {{.unit = 1}, {.unit = 3}, {.unit = 3}, {.unit = 3}};
    static const unsigned range[UNITS][2] = {{0, 0}, {0, 1}, {1, 1}, {1, 4}, {4, 4}};
    const struct scoreboard b = {.speed = speed, .speed_count = SPEEDS}, none = {.speed = NULL};
    for (int u = 0; u < UNITS; u++) {
        const struct speeds got = score_speeds(&b, u);
        assert_ptr_equal(got.first, speed + range[u][0]);
        assert_ptr_equal(got.end, speed + range[u][1]);
        assert_ptr_equal(score_speeds(&none, u).first, score_speeds(&none, u).end);
    }
    assert_ptr_equal(score_speeds(&b, -1).first, score_speeds(&b, -1).end);
    const struct speeds some = score_speeds_of(&b, (struct unit_range){1, 3});
    assert_ptr_equal(some.first, speed);
    assert_ptr_equal(some.end, speed + 1);
}

/* The baseline was not measured at the size: there is no speed-up. */
TEST(baseline_without_time)
{
    struct case_result simd[] = {timed(1, 0.5)};
    struct unit_result u = unit(simd, 1), *up[] = {NULL, NULL, &u, NULL};
    int attempts[4] = {0};
    struct results res = {
        .unit = up, .unit_count = 4, .attempts = attempts, .node = nodes, .node_count = 1};
    struct run run = {
        .assignment = &assignment, .plan = &plan, .cases = {.item = &test_case, .count = 1}};
    FREED_BY(scoreboard_free) struct scoreboard b = {0};
    node.calibrations_count = 0;
    score_run(&run, &res, &b);
    node.calibrations_count = 1;
    assert_false(b.unit[2].counted);
    assert_non_null(b.unit[2].not_gradable);
}

/* `passed` cases, then `failed` ones. The one with the number `at_size` is at the size. */
struct tried {
    const char *what;
    unsigned passed, failed;
    int at_size;   /* -1: none is */
    double points; /* of 6 */
};

/* Three cases under two launches and a stress launch are 9 checks. What was not tried of them did
 * not pass. A size counts only where it was tried. */
TEST(partial_when_not_all_is_tried)
{
    static const struct tried table[] = {
        {"it hangs in the first case", 0, 1, -1, 0},
        {"it hangs with two threads", 4, 1, 3, 6.0 * 4 / 10},
        {"it hangs at the size, with one thread", 3, 1, 3, 6.0 * 3 / 10},
        {"all checks, one is wrong", 8, 1, -1, 6.0 * 8 / 9},
        {"nothing was tried", 0, 0, -1, 0},
    };
    static struct test_case cases[] = {
        {.kind = CASE_EDGE, .shape = {1, 1, 1}},
        {.kind = CASE_EDGE, .shape = {2, 2, 2}},
        {.kind = CASE_RANDOM, .shape = {3, 3, 3}},
        {.kind = CASE_PERFORMANCE, .shape = {64, 64, 64}},
    };
    struct run run = {.assignment = &assignment, .plan = &plan, .cases = {cases, 4}};
    assignment.correctness.stress_threads = (int[]){3};
    assignment.correctness.stress_threads_count = 1;
    tiers[1].points.partial = true;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const struct tried *x = &table[i];
        struct case_result c[16];
        struct unit_result u = unit(c, x->passed + x->failed);
        struct unit_result *up[] = {NULL, NULL, NULL, &u};
        int attempts[4] = {0};
        struct results res = {
            .unit = up, .unit_count = 4, .attempts = attempts, .node = nodes, .node_count = 1};
        FREED_BY(scoreboard_free) struct scoreboard b = {0};
        for (unsigned k = 0; k < u.cases_count; k++)
            c[k] = (struct case_result){.verdict = k < x->passed ? VERDICT_PASS : VERDICT_TIMEOUT};
        if (x->at_size >= 0)
            c[x->at_size].case_index = 3;
        u.verdict = VERDICT_TIMEOUT;
        score_run(&run, &res, &b);
        if (fabs(b.unit[3].correct_points - x->points) > 1e-9)
            fail_msg("%s: %g points", x->what, b.unit[3].correct_points);
        assert_int_equal(b.unit[3].cases_total, u.cases_count);
    }
    tiers[1].points.partial = false;
    assignment.correctness.stress_threads_count = 0;
}

/* What times are compared with is missing: neither earned nor lost. */
TEST(not_gradable)
{
    static const struct {
        bool node, reference;
        bool simd, openmp; /* graded: by the node's record, by the reference */
    } table[] = {
        {true, true, true, true},
        {false, true, false, true},
        {true, false, true, false},
        {false, false, false, false},
    };
    struct case_result ref_omp[] = {timed(1, 1)}, simd[] = {timed(1, 0.5)}, omp[] = {timed(1, 0.5)};
    struct unit_result u[] = {unit(ref_omp, 1), unit(simd, 1), unit(omp, 1)};
    struct run run = {
        .assignment = &assignment, .plan = &plan, .cases = {.item = &test_case, .count = 1}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct unit_result *up[] = {NULL, table[i].reference ? &u[0] : NULL, &u[1], &u[2]};
        int attempts[4] = {0};
        struct results res = {.unit = up,
                              .unit_count = 4,
                              .attempts = attempts,
                              .node = nodes,
                              .node_count = table[i].node};
        FREED_BY(scoreboard_free) struct scoreboard b = {0};
        score_run(&run, &res, &b);
        if (b.unit[2].counted != table[i].simd || !b.unit[2].not_gradable != table[i].simd ||
            b.unit[3].counted != table[i].openmp || !b.unit[3].not_gradable != table[i].openmp)
            fail_msg("row %zu", i);
        if (b.submission[1].uncounted != 2U - table[i].simd - table[i].openmp)
            fail_msg("row %zu: %u do not count", i, b.submission[1].uncounted);
    }
}

TESTS(NULL, NULL)
