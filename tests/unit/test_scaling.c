/* Efficiencies over workers and over nodes, from made-up times: each number is worked out by hand.
 */
#include "base/strbuf.h"
#include "unit.h"

#include <math.h>

#include "model/cases.h"
#include "model/weak.h"
#include "report/feedback.h"
#include "report/score.h"
#include "report/weak_rows.h"

static struct shape sizes[] = {{.dim = {100, 100, 100}}};
static int upto2[] = {1, 2}, two[] = {2}, one[] = {1};
static struct tier tier = {.name = (char[]){"mpi"},
                           .title = (char[]){"MPI"},
                           .kernel = &kernel_gemm_i32,
                           .kind = LAUNCH_MPI,
                           .ranks = upto2,
                           .ranks_count = 2,
                           .threads = one,
                           .threads_count = 1,
                           .nodes = two,
                           .nodes_count = 1,
                           .ranks_per_node = 2};
static struct assignment assignment = {.kernel = &kernel_gemm_i32,
                                       .performance = {.sizes = sizes, .sizes_count = 1},
                                       .tiers = &tier,
                                       .tiers_count = 1};
static struct submission submission = {.id = (char[]){"ann"}};
static struct unit unit = {.submission = 0, .tier = 0};
static struct plan plan = {
    .submissions = &submission, .submissions_count = 1, .units = &unit, .units_count = 1};
static struct test_case cases[] = {{.kind = CASE_PERFORMANCE, .shape = {100, 100, 100}}};
/* Two workers of a node have less than twice the peak of one. */
static struct ceiling ceilings[] = {{.workers = 1, .gops = 10, .gbs = 4},
                                    {.workers = 2, .gops = 16, .gbs = 6}};
static struct node_record node = {.host = (char[]){"n1"},
                                  .yardstick = (char[]){"mpi"},
                                  .peak_gops = 10,
                                  .ceilings = ceilings,
                                  .ceilings_count = 2};
static struct node_record *nodes[] = {&node};
static char host[] = "n1", yardstick[] = "mpi";
static int attempts[] = {0};

static struct case_result timed(struct launch l, int index, double seconds)
{
    return (struct case_result){
        .launch = l,
        .launch_index = index,
        .samples_count = 1,
        .estimate = {.seconds = {seconds, seconds, seconds, 9, false},
                     .relative = {0.001 / seconds, 0.001 / seconds, 0.001 / seconds, 9, false},
                     .starts = 3,
                     .agreed = true,
                     .confirmed = true,
                     .differ = 0.01,
                     .typical = 1}};
}

static bool near(double a, double b)
{
    return fabs(a - b) < 1e-9 * fabs(b);
}

/* One worker 8 ms, two 5 ms, two on each of two nodes 4 ms. */
TEST(over_nodes)
{
    const struct launch far = {4, 1, 2, 0};
    struct case_result c[] = {timed(launch_here(1, 1), 0, 0.008),
                              timed(launch_here(2, 1), 1, 0.005), timed(far, 2, 0.004)};
    struct unit_result u = {.host = host, .yardstick = yardstick, .cases = c, .cases_count = 3},
                       *up[] = {&u};
    struct results res = {
        .unit = up, .unit_count = 1, .attempts = attempts, .node = nodes, .node_count = 1};
    struct run run = {.assignment = &assignment, .plan = &plan, .cases = {cases, 1}};
    struct scoreboard b;
    score_run(&run, &res, &b);
    assert_int_equal(b.speed_count, 3);
    assert_true(near(b.speed[1].efficiency.value, 8.0 / 5 / 2));      /* 0.8 */
    assert_true(near(b.speed[1].node_efficiency.value, 1));           /* one node */
    assert_true(near(b.speed[2].efficiency.value, 8.0 / 4 / 4));      /* 0.5 */
    assert_true(near(b.speed[2].node_efficiency.value, 5.0 / 4 / 2)); /* 0.625 */
    /* 2 x 100^3 operations in 4 ms are 0.5 GOP/s; two nodes have 2 x 16 */
    assert_true(near(b.speed[2].peak_share, 0.5 / 32));
    assert_true(near(launch_bandwidth(&node, far), 12));
    scoreboard_free(&b);
    /* No launch with one worker: the nodes are compared all the same. */
    c[0].verdict = VERDICT_TIMEOUT;
    score_run(&run, &res, &b);
    assert_true(isnan(b.speed[1].efficiency.value));
    assert_true(near(b.speed[1].node_efficiency.value, 0.625));
    scoreboard_free(&b);
}

/* Starts over nodes differ, those on one node do not: that is told. */
TEST(network)
{
    static const struct {
        bool here, far; /* do the starts agree? */
        bool told;
    } table[] = {
        {true, false, true}, {true, true, false}, {false, false, false}, {false, true, false}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct case_result c[] = {timed(launch_here(2, 1), 1, 0.005),
                                  timed((struct launch){4, 1, 2, 0}, 2, 0.004)};
        struct unit_result u = {.host = host, .yardstick = yardstick, .cases = c, .cases_count = 2};
        struct run run = {.assignment = &assignment, .plan = &plan, .cases = {cases, 1}};
        c[0].estimate.agreed = table[i].here;
        c[1].estimate.agreed = table[i].far;
        c[1].estimate.differ = 0.17;
        OWNED char *said = feedback_network(&run, 0, &u);
        assert_string_equal(said, table[i].told ? "starts differ by 17 % (4 ranks on 2 nodes, size "
                                                  "100), on one node they agree: the network or "
                                                  "placement"
                                                : "");
    }
}

/* Starts of 10, 10.3 and 11.7 ms: the fastest three differ by 17 %. */
TEST(starts_differ)
{
    const struct sample s[] = {{.start = 0, .unit = 0.0117, .yardstick = 1},
                               {.start = 1, .unit = 0.010, .yardstick = 1},
                               {.start = 2, .unit = 0.0103, .yardstick = 1},
                               {.start = 3, .unit = 0.02, .yardstick = 1}};
    assert_true(near(estimate_of(s, 4, NAN, 0.02).differ, 0.17));
    assert_true(near(estimate_of(s, 2, NAN, 0.02).differ, 0.17)); /* of two */
    assert_true(isnan(estimate_of(s, 1, NAN, 0.02).differ));
}

/* From 100 for one worker: M is 100, 200 and 400. Each launch is timed at its own size only, in 8,
 * 10 and 12.5 ms: a worker does 2 x 100^3 operations each time. */
TEST(weak)
{
    static const double efficiency[] = {1, 8.0 / 10, 8.0 / 12.5}; /* 1, 0.8, 0.64 */
    struct run run = {.assignment = &assignment, .plan = &plan};
    const struct launch launch[] = {{1, 1, 1, 0}, {2, 1, 1, 0}, {4, 1, 2, 0}};
    struct case_result c[] = {timed(launch[0], 0, 0.008), timed(launch[1], 1, 0.010),
                              timed(launch[2], 2, 0.0125)};
    struct unit_result u = {.host = host, .yardstick = yardstick, .cases = c, .cases_count = 3},
                       *up[] = {&u};
    struct results res = {
        .unit = up, .unit_count = 1, .attempts = attempts, .node = nodes, .node_count = 1};
    FREED_BY(scoreboard_free) struct scoreboard b = {0};
    OWNED struct weak_row *row = NULL;
    assignment.yardstick = yardstick;
    tier.weak = sizes;
    tier.weak_count = 1;
    cases_make(&assignment, 7, &run.cases);
    assert_int_equal(run.cases.count, 3); /* 100 is a size of the tier, too */
    for (int i = 0; i < 3; i++) {
        const struct test_case *x = &run.cases.item[i];
        assert_int_equal(x->shape.dim[0], 100 << i);
        assert_int_equal(x->shape.dim[1], 100);
        assert_int_equal(x->weak, i > 0);
        for (int k = 0; k < 3; k++)
            assert_int_equal(case_is_timed(&assignment, &tier, x, launch[k]), i == 0 || i == k);
        c[i].case_index = i;
    }
    assert_int_equal(weak_rows(&run, &res, -1, &row), 3);
    for (int i = 0; i < 3; i++) {
        assert_true(launch_equal(row[i].result->launch, launch[i]));
        assert_true(near(row[i].work, 2e6));
        assert_true(near(row[i].efficiency.value, efficiency[i]));
    }
    score_run(&run, &res, &b); /* speed-ups and points are at the sizes of the tier */
    assert_int_equal(b.speed_count, 1);
    case_list_free(&run.cases);
    tier.weak_count = 0;
}

TESTS(NULL, NULL)
