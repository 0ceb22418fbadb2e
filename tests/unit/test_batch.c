/* An element of an array takes units as long as its job has the time. */
#include "unit.h"

#include <stdio.h>
#include <time.h>

#include "base/clock.h"
#include "proctor/batch.h"
#include "proctor/node_step.h"
#include "test_dir.h"

enum { UNITS = 3, UNIT_S = 20 /* the limits of a unit together */ };

struct element {
    struct node_context *node;
    int wait_s; /* the first unit, for the timing lock */
    int done;
};

static int run_unit(void *arg, const struct unit *u, const char *tag, const char **verdict)
{
    struct element *x = arg;
    const uint64_t before = x->node->timing_lock.waited_ns;
    (void)u;
    (void)tag;
    if (x->done++ == 0)
        x->node->timing_lock.waited_ns += (uint64_t)x->wait_s * 1000000000;
    node_step_note_wait(x->node, before);
    *verdict = "pass";
    return 0;
}

TEST(the_time_of_a_job)
{
    static const struct {
        int left_s;    /* until the job ends */
        bool by_slurm; /* Slurm says when; else slurm.time of the tier does */
        int wait_s, units;
    } table[] = {
        {60, true, 0, UNITS},  {60, true, 30, UNITS},  {60, true, 50, 1},  {10, true, 0, 1},
        {60, false, 0, UNITS}, {60, false, 30, UNITS}, {60, false, 50, 1}, {10, false, 0, 1},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct tier tier = {.name = "naive"};
        struct assignment a = {
            .tiers = &tier,
            .tiers_count = 1,
            .limits = {.build_ms = 5000, .unit_ms = (int64_t)(UNIT_S - 5) * 1000}};
        struct unit units[UNITS] = {{.id = "a.naive"}, {.id = "b.naive"}, {.id = "c.naive"}};
        struct plan p = {.units = units, .units_count = UNITS};
        struct node_context n = {
            .run = {.dir = test_dir, .plan = &p, .assignment = &a}, .host = "h", .job = "1_0"};
        struct element x = {.node = &n, .wait_s = table[i].wait_s};
        OWNED char *file = at("slurm/array-1.json");
        const struct batch b = {
            .file = file, .started = clock_mono_ns(), .run = run_unit, .arg = &x};
        struct err e = ERR_INIT;
        test_dir_clear(NULL);
        put_at("slurm/array-1.json",
               "{\"name\": \"n\", \"elements\": 1, \"throttle\": 0, \"units\": "
               "[\"a.naive\", \"b.naive\", \"c.naive\"]}");
        unsetenv("SLURM_JOB_END_TIME");
        if (table[i].by_slurm) {
            OWNED char *end = xasprintf("%lld", (long long)time(NULL) + table[i].left_s);
            assert_int_equal(setenv("SLURM_JOB_END_TIME", end, 1), 0);
        } else {
            tier.slurm.time_ms = (int64_t)table[i].left_s * 1000;
        }
        assert_int_equal(batch_run(&n, &b, &e), 0);
        if (x.done != table[i].units)
            fail_msg("%zu: %d units, not %d", i, x.done, table[i].units);
    }
}

TESTS(test_dir_make, test_dir_remove)
