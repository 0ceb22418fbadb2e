/* From samples to what is shown: the record of a node is the best of all that ran there. */
#include "unit.h"
#include <math.h>

#include <stdio.h>
#include <string.h>

#include "rundir/derive.h"

#define PRECISION 0.02

/* Three starts of one run each. */
enum { STARTS = 4, KNOWN = 3 };

static void samples(struct sample *s, double alone, double yardstick, double unit)
{
    for (int i = 0; i < STARTS; i++)
        s[i] = (struct sample){.start = i,
                               .reps = 1,
                               .alone = alone,
                               .yardstick = yardstick,
                               .unit = unit,
                               .cores = NAN,
                               .busiest = NAN};
}

static bool near(double a, double b)
{
    return (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-9 * fabs(b);
}

/* --- one case --------------------------------------------------------------------------------- */

/* The run with the most busy cores tells how many a unit uses. */
TEST(cores)
{
    static const struct {
        const char *name;
        double cores[KNOWN], busiest[KNOWN]; /* of the first starts */
        double most, share;
    } table[] = {
        {"unknown", {NAN, NAN, NAN}, {1, 1, 1}, NAN, NAN},
        {"known once", {NAN, 0.5, NAN}, {1, 0.25, 1}, 0.5, 0.25},
        {"one run had more", {1, 3.5, 2}, {1, 0.5, 0.75}, 3.5, 0.5},
        {"the first of equal ones", {2, 2, 2}, {0.5, 0.75, 1}, 2, 0.5},
        {"its share is unknown", {1, 4, 2}, {1, NAN, 0.75}, 4, NAN},
        {"none was busy", {0, 0, 0}, {0, 0, 0}, 0, 0},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct sample s[STARTS];
        samples(s, 1, 1, 0.5);
        for (int k = 0; k < STARTS; k++) {
            s[k].cores = k < KNOWN ? table[i].cores[k] : NAN;
            s[k].busiest = k < KNOWN ? table[i].busiest[k] : NAN;
        }
        struct case_result c = {.samples = s, .samples_count = STARTS, .cores_used = 99};
        case_result_derive(&c, 1, PRECISION);
        if (!near(c.cores_used, table[i].most) || !near(c.busiest, table[i].share))
            fail_msg("%s: %g, %g", table[i].name, c.cores_used, c.busiest);
        assert_true(c.estimate.confirmed && c.estimate.relative.value == 2);
    }
    struct case_result none = {.cores_used = 99, .busiest = 99};
    case_result_derive(&none, 1, PRECISION);
    assert_true(isnan(none.cores_used) && isnan(none.busiest) && none.estimate.seconds.n == 0);
}

/* --- a node record ---------------------------------------------------------------------------- */

static const struct shape size = {.dim = {8, 8, 8}}, other_size = {.dim = {9, 9, 9}};

TEST(node_records)
{
    static const struct {
        const char *name;
        double alone, yardstick, unit; /* of all samples; alone 0: there are none */
        double known, filled;          /* filled: in already */
        double record, baseline, ratio;
        bool confirmed;
    } table[] = {
        {"no samples", 0, 0, 0, NAN, 0, NAN, NAN, NAN, false},
        {"no samples, but a known time", 0, 0, 0, 2, 0, 2, NAN, NAN, false},
        {"no samples, but a better time", 0, 0, 0, 2, 1, 1, NAN, NAN, false},
        {"the yardstick alone", 1, NAN, NAN, NAN, 0, 1, NAN, NAN, false},
        {"with the baseline", 1, 1, 0.5, NAN, 0, 1, 0.5, 0.5, true},
        {"a known time that is worse", 1, 1, 0.5, 2, 0, 1, 0.5, 0.5, true},
        {"what is filled in already is worse", 1, 1, 0.5, NAN, 2, 1, 0.5, 0.5, true},
        {"and this is unknown", 1, 1, 0.5, NAN, NAN, 1, 0.5, 0.5, true},
        /* The baseline was slow as well: the ratio stays. */
        {"a known time that is better", 1, 1, 0.5, 0.5, 0, 0.5, 0.5, 0.5, false},
        {"another unit saw a better time", 1, 1, 0.5, NAN, 0.5, 0.5, 0.5, 0.5, false},
        {"within the gate", 1.02, 1.02, 0.5, 1, 0, 1, 0.5, 0.5 / 1.02, true},
        {"beside the baseline it is faster", 1, 0.8, 0.5, NAN, 0, 1, 0.5, 0.5 / 0.8, true},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct sample s[STARTS];
        samples(s, table[i].alone, table[i].yardstick, table[i].unit);
        struct calibration c = {.shape = size,
                                .samples = s,
                                .samples_count = table[i].alone > 0 ? STARTS : 0,
                                .known = table[i].known,
                                .record = table[i].filled};
        struct node_record n = {.calibrations = &c, .calibrations_count = 1};
        for (int k = 0; k < 2; k++) { /* twice gives the same */
            node_record_derive(&n, NULL, PRECISION);
            if (!near(c.record, table[i].record) || !near(c.baseline.value, table[i].baseline) ||
                !near(c.ratio.value, table[i].ratio) || c.confirmed != table[i].confirmed)
                fail_msg("%s: record %g, baseline %g, ratio %g, confirmed %d", table[i].name,
                         c.record, c.baseline.value, c.ratio.value, c.confirmed);
            const size_t known = isnan(table[i].ratio) ? 0 : STARTS;
            assert_true(c.baseline.n == known && c.ratio.n == known);
            assert_true(!known || c.ratio.unconfirmed == !c.confirmed);
        }
    }
}

/* A GPU's yardstick is timed alone; the baseline is the host's. */
TEST(baseline_of_the_host)
{
    struct sample host_samples[STARTS], gpu_samples[STARTS], lonely_samples[STARTS];
    samples(host_samples, 1, 1, 4);
    samples(gpu_samples, 0.1, NAN, NAN);
    samples(lonely_samples, 0.2, NAN, NAN);
    struct calibration host_size = {
        .shape = size, .samples = host_samples, .samples_count = STARTS, .known = NAN};
    struct calibration gpu_sizes[] = {
        {.shape = size, .samples = gpu_samples, .samples_count = STARTS, .known = NAN},
        {.shape = other_size, .samples = lonely_samples, .samples_count = STARTS, .known = NAN}};
    struct node_record host = {.calibrations = &host_size, .calibrations_count = 1};
    struct node_record gpu = {.device = true, .calibrations = gpu_sizes, .calibrations_count = 2};
    node_record_derive(&host, NULL, PRECISION);
    node_record_derive(&gpu, &host, PRECISION);
    const struct calibration *c = gpu_sizes;
    assert_true(near(c->record, 0.1) && near(c->baseline.value, 4) && near(c->ratio.value, 40));
    assert_true(c->confirmed && !c->ratio.unconfirmed && c->ratio.n == STARTS);
    /* A size that the host was not timed at has no baseline. */
    c = &gpu_sizes[1];
    assert_true(near(c->record, 0.2) && c->baseline.n == 0 && c->ratio.n == 0 && !c->confirmed);
    /* A host whose times are not confirmed. */
    host_size.record = 0.5;
    node_record_derive(&host, NULL, PRECISION);
    node_record_derive(&gpu, &host, PRECISION);
    c = gpu_sizes;
    assert_true(near(c->ratio.value, 40) && c->ratio.unconfirmed && !c->confirmed);
}

/* --- a run ------------------------------------------------------------------------------------ */

enum { UNITS = 4, NODES = 3 };

static struct sample unit_samples[UNITS][STARTS], node_samples[NODES][STARTS];
static struct case_result case_of[UNITS];
static struct unit_result unit_of[UNITS], *units[UNITS];
static struct calibration size_of[NODES];
static struct node_record node_of[NODES], *nodes[NODES];
static struct test_case test_case = {.kind = CASE_PERFORMANCE, .shape = {.dim = {8, 8, 8}}};
static struct assignment assignment = {.yardstick = (char[]){"simd"},
                                       .performance = {.precision = PRECISION}};
static const struct run run = {.assignment = &assignment,
                               .cases = {.item = &test_case, .count = 1}};
static char n1[] = "n1", n2[] = "n2", simd[] = "simd", cuda[] = "cuda";

/* Three nodes' records: of the GPU of n1 before that of its host, and of n2. Four units: two on n1,
 * one on its GPU, one on n2. The yardstick takes 1 s, on the GPU 0.1 s. */
static struct results results(void)
{
    static char *const of_node[NODES] = {n1, n1, n2}, *const of_unit[UNITS] = {n1, n1, n1, n2};
    for (int i = 0; i < NODES; i++) {
        if (i == 0)
            samples(node_samples[i], 0.1, NAN, NAN);
        else
            samples(node_samples[i], 1, 1, 4);
        size_of[i] = (struct calibration){.shape = test_case.shape,
                                          .samples = node_samples[i],
                                          .samples_count = STARTS,
                                          .known = NAN};
        node_of[i] = (struct node_record){.host = of_node[i],
                                          .yardstick = i == 0 ? cuda : simd,
                                          .device = i == 0,
                                          .calibrations = &size_of[i],
                                          .calibrations_count = 1};
        nodes[i] = &node_of[i];
    }
    for (int i = 0; i < UNITS; i++) {
        const double yardstick = i == 2 ? 0.1 : 1;
        samples(unit_samples[i], yardstick, yardstick, yardstick / 2);
        case_of[i] = (struct case_result){.samples = unit_samples[i], .samples_count = STARTS};
        unit_of[i] = (struct unit_result){.host = of_unit[i],
                                          .yardstick = i == 2 ? cuda : simd,
                                          .cases = &case_of[i],
                                          .cases_count = 1};
        units[i] = &unit_of[i];
    }
    return (struct results){.unit = units, .unit_count = UNITS, .node = nodes, .node_count = NODES};
}

/* "record of each node | confirmed units | confirmed nodes" */
static void assert_derived(const char *name, const char *wanted)
{
    char is[200];
    snprintf(is, sizeof is, "%g %g %g|%d%d%d%d|%d%d%d", size_of[0].record, size_of[1].record,
             size_of[2].record, case_of[0].estimate.confirmed, case_of[1].estimate.confirmed,
             case_of[2].estimate.confirmed, case_of[3].estimate.confirmed, size_of[0].confirmed,
             size_of[1].confirmed, size_of[2].confirmed);
    if (strcmp(is, wanted) != 0)
        fail_msg("%s: %s instead of %s", name, is, wanted);
}

TEST(a_run)
{
    struct results res = results();
    results_derive(&run, &res);
    assert_derived("all is well", "0.1 1 1|1111|111");
    assert_true(near(size_of[0].ratio.value, 40) && near(size_of[1].ratio.value, 4));
    assert_true(near(case_of[2].estimate.relative.value, 2));

    /* A unit that ran when the node was fastest tells the record to all that ran there. */
    res = results();
    samples(unit_samples[1], 0.5, 0.5, 0.25);
    results_derive(&run, &res);
    assert_derived("a unit saw a faster yardstick", "0.1 0.5 1|0111|001");
    assert_true(near(case_of[0].estimate.relative.value, 2));
    assert_true(near(size_of[1].ratio.value, 4));

    res = results();
    samples(unit_samples[2], 0.05, 0.05, 0.025);
    results_derive(&run, &res);
    assert_derived("a unit of the GPU did", "0.05 1 1|1111|111");
    assert_true(near(size_of[0].ratio.value, 80));

    res = results();
    samples(unit_samples[1], 1, 0.5, 0.25);
    results_derive(&run, &res);
    assert_derived("beside the unit says nothing of the node", "0.1 1 1|1111|111");

    res = results();
    unit_samples[1][0].alone = 0.5;
    results_derive(&run, &res);
    assert_derived("one lucky start says nothing", "0.1 1 1|1111|111");

    res = results();
    size_of[1].known = 0.5;
    results_derive(&run, &res);
    assert_derived("an earlier run did", "0.1 0.5 1|0011|001");
}

/* What is missing is not known, and disturbs nothing. */
TEST(parts_of_a_run)
{
    struct results res = results();
    units[0] = NULL;
    case_of[1].case_index = 7; /* the assignment has fewer */
    case_of[2].samples_count = 0;
    results_derive(&run, &res);
    assert_derived("units", "0.1 1 1|0101|111");
    assert_true(case_of[2].estimate.seconds.n == 0);

    res = results();
    size_of[1].shape = other_size;
    samples(node_samples[1], 0.5, 0.5, 4);
    size_of[0].samples_count = 0;
    results_derive(&run, &res);
    assert_derived("sizes", "0.1 0.5 1|1111|011");
    assert_true(size_of[0].ratio.n == 0);

    res = results();
    res.node_count = 0;
    results_derive(&run, &res);
    assert_true(case_of[0].estimate.confirmed && case_of[3].estimate.confirmed);

    res = (struct results){0};
    results_derive(&run, &res);
}

TESTS(NULL, NULL)
