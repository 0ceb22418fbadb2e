/* Records of attempts: found by tag, counted, and never written over. */
#include "unit.h"

#include <string.h>

#include "base/fsio.h"
#include "base/strbuf.h"
#include "rundir/attempts.h"
#include "rundir/parts.h"

#include "test_dir.h"

static void fail_once(const char *unit, struct attempt_failure f)
{
    struct err e = ERR_INIT;
    if (attempt_fail(test_dir, unit, &f, &e) != 0)
        fail_msg("%s", e.text);
}

TEST(tags)
{
    const struct attempt_start start = {.tag = "12_3-5f2a", .host = "n1", .job = "12_3"};
    static const struct {
        const char *tag;
        bool fits;
    } table[] = {{"12_3", true}, {"12_3-5f2a", true}, {"12_3-5f2", false},  {"12_33", false},
                 {"12", false},  {"2_3", false},      {"12_3-5f2a-", false}};
    assert_int_equal(attempt_begin(test_dir, "u", &start, NULL), 0);
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (attempt_under_way(test_dir, "u", table[i].tag) != table[i].fits ||
            attempt_has_failure(test_dir, "u", table[i].tag))
            fail_msg("%s", table[i].tag);
    fail_once("u", (struct attempt_failure){.tag = start.tag, .reason = "r"});
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (attempt_under_way(test_dir, "u", table[i].tag) ||
            attempt_has_failure(test_dir, "u", table[i].tag) != table[i].fits)
            fail_msg("%s", table[i].tag);
    assert_false(attempt_has_result(test_dir, "u"));
}

TEST(counts)
{
    struct attempt_count c = attempt_failures(test_dir, "v");
    OWNED char *reason = attempt_last_reason(test_dir, "v");
    assert_int_equal(c.failures, 0);
    assert_null(reason);
    fail_once("v", (struct attempt_failure){.tag = "1", .reason = "first", .host = "a"});
    fail_once("v", (struct attempt_failure){.tag = "1", .reason = "stays the first"});
    fail_once("v", (struct attempt_failure){.tag = "2", .reason = "caf\xe9", .node = "b"});
    fail_once("v", (struct attempt_failure){
                       .tag = "3", .reason = "third", .host = "x", .node = "b", .cancelled = true});
    fail_once("v", (struct attempt_failure){.tag = "4", .reason = "", .unexplained = true});
    fail_once("v", (struct attempt_failure){
                       .tag = "5", .reason = "no time left", .host = "c", .postponed = true});
    c = attempt_failures(test_dir, "v");
    assert_int_equal(c.failures, 5);
    assert_int_equal(c.postponed, 1);
    assert_int_equal(c.cancelled, 1);
    assert_int_equal(c.unexplained, 1);
    FREED_BY(strbuf_free) struct strbuf nodes = STRBUF_INIT;
    attempt_failed_nodes(test_dir, "v", &nodes);
    assert_string_equal(nodes.s, "a,b"); /* nothing failed on c */
    reason = attempt_last_reason(test_dir, "v");
    assert_non_null(reason);
}

static void seen(void *arg, const char *relative, enum part p)
{
    struct strbuf *sb = arg;
    strbuf_addf(sb, "%s %d\n", relative, p);
}

/* The table knows what was written above, and nothing else. */
TEST(parts)
{
    static const char *const extra[] = {"stray", "units/u/.tmp-1-a", "units/v/sub/file"};
    FREED_BY(strbuf_free) struct strbuf sb = STRBUF_INIT, want = STRBUF_INIT;
    for (size_t i = 0; i < 3; i++) {
        OWNED char *path = xasprintf("%s/%s", test_dir, extra[i]),
                   *dir = xasprintf("%s/units/v/sub", test_dir);
        assert_int_equal(fs_mkdirs(dir, NULL), 0);
        assert_int_equal(fs_write_atomic(path, "", 0, NULL), 0);
    }
    strbuf_addf(&want, "stray %d\n", PART_COUNT);
    strbuf_addf(&want, "units/u/.tmp-1-a %d\n", PART_TEMPORARY_IN_UNIT);
    strbuf_addf(&want, "units/u/attempt-12_3-5f2a.json %d\n", PART_ATTEMPT);
    strbuf_addf(&want, "units/u/infra-12_3-5f2a.json %d\n", PART_FAILURE);
    for (int i = 1; i <= 5; i++)
        strbuf_addf(&want, "units/v/infra-%d.json %d\n", i, PART_FAILURE);
    strbuf_addf(&want, "units/v/sub %d\n", PART_COUNT);
    parts_visit(test_dir, seen, &sb);
    assert_string_equal(sb.s, want.s);
    assert_true(part_in_receipts(PART_FAILURE) && !part_in_receipts(PART_ATTEMPT));
}

/* After parts: it leaves files. */
TEST(starts)
{
    struct attempt_start a = {.tag = "a1", .host = "n1", .job = "12_0"};
    assert_int_equal(attempt_starts(test_dir, "w", "a"), 0);
    assert_null(attempt_job(test_dir, "w", "a1"));
    assert_int_equal(attempt_begin(test_dir, "w", &a, NULL), 0);
    a.job = "12_5";
    assert_int_equal(attempt_begin(test_dir, "w", &a, NULL), 1); /* the first one counts */
    OWNED char *job = attempt_job(test_dir, "w", "a1");
    assert_string_equal(job, "12_0");
    a.tag = "local-7";
    assert_int_equal(attempt_begin(test_dir, "w", &a, NULL), 0);
    assert_int_equal(attempt_starts(test_dir, "w", "a"), 1);
    assert_int_equal(attempt_starts(test_dir, "w", ""), 2);
}

TESTS(test_dir_make, test_dir_remove)
