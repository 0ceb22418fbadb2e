/* A run is changed in one step, and what an interruption leaves is put right. */
#include "unit.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rundir/lock.h"
#include "rundir/revision.h"
#include "test_dir.h"

static bool holds(const char *name, const char *text)
{
    OWNED char *path = at(name), *is = NULL;
    return fs_read(path, 1000, &is, NULL, NULL) == 0 && strcmp(is, text) == 0;
}

static void make_run(void)
{
    OWNED char *run = at("reports/r");
    put_at("reports/r/plan.json", "old plan");
    assert_int_equal(run_lock(run, NULL), 0);
    put_at("reports/r/units/a.simd/result.json", "old");
    put_at("reports/r/units/b.simd/result.json", "same");
    put_at("reports/r/earlier/1/plan.json", "older plan");
}

TEST(a_change)
{
    OWNED char *run = at("reports/r"), *draft = NULL;
    make_run();
    assert_int_equal(revision_begin(run, &draft, NULL), 0);
    assert_int_equal(revision_keep(run, draft, "units/b.simd", NULL), 0);
    assert_int_equal(revision_keep(run, draft, "nodes", NULL), 0); /* there are none */
    assert_int_equal(revision_archive(run, draft, 2, "units/a.simd", NULL), 0);
    assert_int_equal(revision_archive_records(run, draft, 2, NULL), 0);
    put_at("reports/.r.revision/plan.json", "new plan");
    assert_true(holds("reports/r/plan.json", "old plan"));
    assert_int_equal(revision_commit(run, draft, NULL), 0);
    assert_true(holds("reports/r/plan.json", "new plan"));
    assert_true(exists_at("reports/r/lock"));
    assert_true(holds("reports/r/units/b.simd/result.json", "same"));
    assert_false(exists_at("reports/r/units/a.simd"));
    assert_true(holds("reports/r/earlier/2/units/a.simd/result.json", "old"));
    assert_true(holds("reports/r/earlier/2/plan.json", "old plan"));
    assert_false(exists_at("reports/r/earlier/2/lock"));
    assert_true(holds("reports/r/earlier/1/plan.json", "older plan"));
    assert_false(exists_at("reports/.r.revision"));
}

TEST(another_process_has_taken_over)
{
    char *run = at("reports/r"), *draft = NULL;
    struct err e = ERR_INIT;
    make_run();
    assert_int_equal(revision_begin(run, &draft, NULL), 0);
    put_at("reports/.r.revision/plan.json", "new plan");
    put_at("reports/r/lock", "theirs");
    assert_int_equal(revision_commit(run, draft, &e), -1);
    assert_non_null(strstr(e.text, "taken over"));
    assert_true(holds("reports/r/plan.json", "old plan"));
    assert_true(holds("reports/r/lock", "theirs"));
    assert_false(exists_at("reports/.r.revision"));
    free(draft);
    /* It has ended since. */
    OWNED char *lock = at("reports/r/lock");
    assert_int_equal(revision_begin(run, &draft, NULL), 0);
    unlink(lock);
    assert_int_equal(revision_commit(run, draft, NULL), -1);
    assert_true(holds("reports/r/plan.json", "old plan"));
    free(draft);
    free(run);
}

TEST(leftovers)
{
    OWNED char *run = at("reports/r"), *aside = at("reports/.r.replaced"), *draft = NULL,
               *draft2 = NULL;
    make_run();
    put_at("reports/.r.revision/units/a.simd/result.json", "half a draft");
    assert_int_equal(revision_begin(run, &draft, NULL), 0);
    assert_false(exists_at("reports/.r.revision/units"));
    revision_abandon(draft);
    assert_false(exists_at("reports/.r.revision"));
    assert_true(holds("reports/r/plan.json", "old plan"));
    /* Interrupted between two renames. */
    assert_int_equal(rename(run, aside), 0);
    revision_recover(run); /* by somebody who is alive */
    assert_false(exists_at("reports/r"));
    run_unlock(aside);
    revision_recover(run);
    assert_true(holds("reports/r/plan.json", "old plan"));
    revision_recover(run); /* nothing to put back */
    assert_true(holds("reports/r/plan.json", "old plan"));
    /* Interrupted after them: the new run is in its place, and the old one is useless. */
    put_at("reports/.r.replaced/plan.json", "older plan");
    revision_recover(run);
    assert_true(holds("reports/r/plan.json", "old plan"));
    assert_int_equal(revision_begin(run, &draft2, NULL), 0);
    assert_false(exists_at("reports/.r.replaced"));
    revision_abandon(draft2);
}

TEST(links_are_copies_for_writers)
{
    OWNED char *run = at("reports/r"), *draft = NULL;
    make_run();
    assert_int_equal(revision_begin(run, &draft, NULL), 0);
    assert_int_equal(revision_keep(run, draft, "units", NULL), 0);
    put_at("reports/.r.revision/units/a.simd/result.json", "new");
    assert_true(holds("reports/r/units/a.simd/result.json", "old"));
    revision_abandon(draft);
}

TESTS_WITH(test_dir_clear, NULL, test_dir_make, test_dir_remove)
