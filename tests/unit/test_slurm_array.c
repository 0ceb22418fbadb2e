/* Numbers of arrays: none is used twice, not even in a run that was regraded. */
#include "unit.h"

#include "slurm/array.h"
#include "test_dir.h"

static struct unit units[] = {{.id = "a.naive"}, {.id = "b.naive"}};

/* The number of a new array with the first n units. */
static int number_of(const struct plan *p, struct slurm_jobs *l, unsigned n)
{
    static const int index[] = {0, 1};
    const struct slurm_share share = {.units = {index, n}, .elements = 1, .throttle = 1};
    struct err e = ERR_INIT;
    const struct slurm_job *j = slurm_jobs_add_array(test_dir, p, l, &share, &e);
    assert_non_null(j);
    return j->number;
}

TEST(none_twice)
{
    const struct plan p = {.run_id = "r", .units = units, .units_count = 2};
    FREED_BY(slurm_jobs_free) struct slurm_jobs l = {0};
    put_at("slurm/array-1.void", "");
    put_at("slurm/array-3.damaged", "");
    assert_int_equal(number_of(&p, &l, 1), 2);
    assert_int_equal(number_of(&p, &l, 1), 4);
    assert_int_equal(slurm_job_drop(test_dir, &l, NULL), 0);
    assert_int_equal(l.count, 1);
    assert_int_equal(number_of(&p, &l, 1), 4);
    assert_int_equal(slurm_job_void(test_dir, &l, &l.item[1], NULL), 0);
    assert_int_equal(l.count, 1);
    assert_int_equal(number_of(&p, &l, 1), 5);
    /* One that is not the last keeps its place. */
    assert_int_equal(slurm_job_void(test_dir, &l, &l.item[0], NULL), 0);
    assert_int_equal(l.count, 2);
    assert_null(l.item[0].name);
    assert_int_equal(l.item[1].number, 5);
    assert_int_equal(number_of(&p, &l, 1), 6);
}

TEST(regraded)
{
    const struct plan p = {.run_id = "r", .units = units, .units_count = 2, .revision = 1};
    FREED_BY(slurm_jobs_free) struct slurm_jobs l = {0};
    put_at("slurm/x", "");
    put_at("units/a.naive/attempt-a2.json", "{}");
    put_at("units/a.naive/attempt-local-9.json", "{}");
    put_at("units/b.naive/infra-a10.json", "{}");
    put_at("units/b.naive/proctor-a20.log", "");
    assert_int_equal(number_of(&p, &l, 1), 3);
    assert_int_equal(number_of(&p, &l, 2), 11);
    assert_int_equal(number_of(&p, &l, 1), 12);
}

TESTS_WITH(test_dir_clear, NULL, test_dir_make, test_dir_remove)
