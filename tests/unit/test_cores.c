/* Which cores there are, and where the proctor itself works. */
#include "unit.h"

#include <sched.h>

#include "supervise/cores.h"

static cpu_set_t now(void)
{
    cpu_set_t set;
    assert_int_equal(sched_getaffinity(0, sizeof set, &set), 0);
    return set;
}

static void assert_at(const cpu_set_t *wanted)
{
    cpu_set_t set = now();
    assert_true(CPU_EQUAL(&set, wanted));
}

TEST(settled_or_not)
{
    const cpu_set_t all = now();
    struct own_core own = {0};
    struct cores have;
    cores_allocated(&have);
    assert_int_equal(have.count, CPU_COUNT(&all));
    cpu_set_t last;
    CPU_ZERO(&last);
    CPU_SET((size_t)have.id[have.count - 1], &last);

    own_core_roam(&own); /* nothing to come back to */
    own_core_return(&own);
    own_core_leave(&own);
    assert_at(&all);
    own_core_settle(&own, have.id[0]);
    own_core_settle(&own, have.id[have.count - 1]); /* elsewhere, not in addition */
    assert_at(&last);
    own_core_roam(&own);
    assert_at(&all);
    own_core_return(&own);
    assert_at(&last);
    own_core_leave(&own);
    assert_at(&all);
    own_core_return(&own); /* over */
    assert_at(&all);
}

TEST(quietest)
{
    struct cores have, got;
    cores_allocated(&have);
    cores_quietest(&have, have.count + 1, &got);
    assert_int_equal(got.count, have.count);
    cores_quietest(&have, 1, &got);
    assert_int_equal(got.count, 1);
    int known = 0;
    for (int i = 0; i < have.count; i++)
        known += have.id[i] == got.id[0];
    assert_int_equal(known, 1);
}

/* Fewer cores are part of more, and begin with the same one. */
TEST(first)
{
    struct cores have, more, fewer;
    cores_allocated(&have);
    cores_first(&have, have.count + 1, &more);
    assert_int_equal(more.count, have.count);
    for (int want = have.count; want > 0; want--) {
        cores_first(&have, want, &fewer);
        assert_int_equal(fewer.count, want);
        assert_int_equal(fewer.id[0], have.id[0]);
        for (int i = 0; i < fewer.count; i++) {
            int known = 0;
            for (int k = 0; k < more.count; k++)
                known += more.id[k] == fewer.id[i];
            assert_int_equal(known, 1);
        }
        more = fewer;
    }
}

/* Four physical cores with two hardware threads each: 0 and 4, 1 and 5, 2 and 6, 3 and 7. */
TEST(hardware_threads)
{
    static const struct {
        unsigned long long idle[8];
        int want, chosen[8];
    } cases[] = {
        {{6, 6, 6, 6, 6, 6, 6, 6}, 4, {0, 1, 2, 3}},
        {{6, 6, 5, 5, 6, 6, 6, 5}, 4, {0, 1, 3, 6}}, /* 6 is quieter than 2, but 4 is not a core */
        {{0, 6, 6, 6, 6, 6, 6, 6}, 4, {1, 2, 3, 4}},
        {{6, 6, 0, 0, 6, 6, 0, 0}, 3, {0, 1, 2}}, /* busy, and still better than a second thread */
        {{6, 6, 6, 6, 1, 2, 3, 4}, 6, {0, 1, 2, 3, 6, 7}},
        {{1, 2, 3, 4, 5, 6, 7, 8}, 1, {7}},
    };
    const struct cores all = {{0, 1, 2, 3, 4, 5, 6, 7}, 8};
    const int physical[] = {0, 1, 2, 3, 0, 1, 2, 3};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct cores got;
        cores_choose(&all, cases[i].idle, physical, cases[i].want, &got);
        assert_int_equal(got.count, cases[i].want);
        for (int k = 0; k < got.count; k++)
            assert_int_equal(got.id[k], cases[i].chosen[k]);
    }
}

TESTS(NULL, NULL)
