/* Collecting: whatever lies in the run directory, a damaged file is never a result. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fsio.h"
#include "base/strbuf.h"
#include "rundir/node_file.h"
#include "rundir/paths.h"
#include "rundir/result_file.h"
#include "rundir/results.h"

#include "test_dir.h"

/* Three units; of the last the verdict is known beforehand. */
enum { NAIVE, SIMD, PRESET, UNITS };

static struct unit units[UNITS] = {
    {.index = NAIVE, .id = (char[]){"al.naive"}},
    {.index = SIMD, .id = (char[]){"al.simd"}},
    {.index = PRESET,
     .id = (char[]){"bo.naive"},
     .preset = true,
     .verdict = VERDICT_MISSING,
     .message = (char[]){"no source"}},
};
static struct plan plan = {.units = units, .units_count = UNITS};
static struct assignment assignment = {.yardstick = (char[]){"simd"}};
static const struct run run = {.dir = test_dir, .plan = &plan, .assignment = &assignment};

/* The result of a unit, in the place of (another) one. */
static void publish(const char *place, const char *id, enum verdict v)
{
    struct unit_result r = {.unit_id = xstrdup(id),
                            .verdict = v,
                            .message = (char[]){"as found"},
                            .host = (char[]){"n1"},
                            .yardstick = (char[]){"simd"},
                            .cores = 4};
    OWNED char *path = rundir_result(test_dir, place), *dir = rundir_unit(test_dir, place);
    assert_int_equal(fs_mkdirs(dir, NULL), 0);
    assert_int_equal(unit_result_publish(&r, path, NULL), 0);
    free(r.unit_id);
}

static void publish_node(const char *host)
{
    struct node_record n = {
        .host = xstrdup(host), .yardstick = (char[]){"simd"}, .model = (char[]){"c"}, .cores = 4};
    OWNED char *path = rundir_node(test_dir, host, "simd"), *dir = at("nodes");
    assert_int_equal(fs_mkdirs(dir, NULL), 0);
    assert_int_equal(node_record_publish(&n, path, NULL), 0);
    free(n.host);
}

static const struct node_record *record_of(const struct results *res, char *host, char *yardstick)
{
    const struct unit_result u = {.host = host, .yardstick = yardstick};
    return results_node(res, &u);
}

/* Collect; the return value must be as given. */
static struct results collect(bool final, int rc, struct err *e)
{
    struct results res;
    int is = results_collect(&run, final, &res, e);
    if (is != rc)
        fail_msg("returned %d: %s", is, e->text);
    assert_int_equal(res.unit_count, UNITS);
    assert_int_equal(res.unit[PRESET]->verdict, VERDICT_MISSING);
    assert_string_equal(res.unit[PRESET]->message, "no source");
    return res;
}

static void assert_infra(const struct results *res, int unit, const char *why)
{
    assert_non_null(res->unit[unit]);
    assert_string_equal(res->unit[unit]->unit_id, units[unit].id);
    assert_int_equal(res->unit[unit]->verdict, VERDICT_INFRA_ERROR);
    if (!strstr(res->unit[unit]->message, why))
        fail_msg("%s: '%s'", units[unit].id, res->unit[unit]->message);
}

/* --- damaged ---------------------------------------------------------------------------------- */

TEST(damaged_results)
{
    static const char *const table[] = {"",
                                        "{",
                                        "[]",
                                        "null",
                                        "{}",
                                        "{\"unit\":\"al.naive\",\"verdict\":\"pass\"}",
                                        "{\"unit\":\"al.naive\",\"verdict\":\"pass",
                                        "\xff\xfe",
                                        "pass"};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct err e = ERR_INIT;
        test_dir_clear(NULL);
        put_at("units/al.naive/result.json", table[i]);
        publish("al.simd", "al.simd", VERDICT_PASS);
        struct results res = collect(false, 1, &e);
        assert_null(res.unit[NAIVE]);
        assert_int_equal(res.attempts[NAIVE], 1);
        assert_int_equal(res.unit[SIMD]->verdict, VERDICT_PASS); /* others do not suffer */
        assert_int_equal(res.attempts[SIMD], 0);
        assert_int_equal(e.kind, ERR_SYSTEM);
        assert_non_null(strstr(e.text, "units/al.naive/result.json"));
        results_free(&res);

        /* It is kept as it was, the place is free, and it is told and counted once. */
        OWNED char *path = at("units/al.naive/result.json.damaged"), *data = NULL;
        assert_int_equal(fs_read(path, 1000, &data, NULL, NULL), 0);
        assert_string_equal(data, table[i]);
        assert_false(exists_at("units/al.naive/result.json"));
        struct err again = ERR_INIT;
        res = collect(true, 0, &again);
        assert_int_equal(again.kind, ERR_NONE);
        assert_int_equal(res.attempts[NAIVE], 1);
        assert_infra(&res, NAIVE, "result.json");
        results_free(&res);

        publish("al.naive", "al.naive", VERDICT_PASS); /* the next attempt */
        res = collect(true, 0, &again);
        assert_int_equal(res.unit[NAIVE]->verdict, VERDICT_PASS);
        assert_int_equal(res.attempts[NAIVE], 1);
        results_free(&res);
    }
}

TEST(result_of_another)
{
    struct err e = ERR_INIT;
    publish("al.naive", "al.simd", VERDICT_PASS);
    FREED_BY(results_free) struct results res = collect(false, 1, &e);
    assert_null(res.unit[NAIVE]);
    assert_null(res.unit[SIMD]);
    assert_int_equal(res.attempts[NAIVE], 1);
    assert_non_null(strstr(e.text, "is the result of al.simd"));
    assert_true(exists_at("units/al.naive/result.json.damaged"));
    results_free(&res);
    res = collect(true, 0, &e);
    assert_infra(&res, NAIVE, "that of another unit");
}

TEST(not_even_files)
{
    struct err e = ERR_INIT;
    put_at("units/al.naive/result.json/file", "");
    put_at("units/al.simd", "not a directory");
    put_at("nodes", "not a directory");
    FREED_BY(results_free) struct results res = collect(true, 1, &e);
    assert_infra(&res, NAIVE, "not a regular file");
    assert_infra(&res, SIMD, "no attempt at this unit has left a result");
    assert_int_equal(res.node_count, 0);
    assert_true(exists_at("units/al.naive/result.json.damaged/file"));
}

TEST(damaged_nodes)
{
    struct err e = ERR_INIT;
    put_at("nodes/n0.json", "{\"host\":\"n0\"");
    put_at("nodes/n3.json", "");
    put_at("nodes/README", "not a record");
    publish_node("n1");
    publish_node("n2");
    FREED_BY(results_free) struct results res = collect(false, 1, &e);
    assert_int_equal(res.node_count, 2);
    assert_non_null(record_of(&res, "n1", "simd"));
    assert_non_null(record_of(&res, "n2", "simd"));
    assert_null(record_of(&res, "n0", "simd"));
    assert_null(record_of(&res, "n1", "cuda")); /* timed beside another yardstick */
    assert_non_null(strstr(e.text, "nodes/n"));
}

/* --- cannot be read --------------------------------------------------------------------------- */

static void link_at(const char *to, const char *name)
{
    OWNED char *path = at(name), *dir = at(name);
    *strrchr(dir, '/') = '\0';
    assert_int_equal(fs_mkdirs(dir, NULL), 0);
    assert_int_equal(symlink(to, path), 0);
}

/* The file server may be at fault: the file may be whole, and stays where it is. */
TEST(unread)
{
    static const struct {
        const char *name, *to, *says;
    } table[] = {
        {"units/al.naive/result.json", "nowhere", "No such file or directory"},
        {"units/al.naive/result.json", "result.json", "Too many levels of symbolic links"},
        {"nodes/n1.simd.json", "nowhere", "No such file or directory"},
        {"nodes", "nodes", "Too many levels of symbolic links"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        for (int final = 0; final < 2; final++) {
            struct err e = ERR_INIT;
            test_dir_clear(NULL);
            link_at(table[i].to, table[i].name);
            put_at("units/al.simd/result.json", "{");
            FREED_BY(results_free) struct results res = collect(final, -1, &e);
            assert_int_equal(e.kind, ERR_SYSTEM);
            if (!strstr(e.text, table[i].name) || !strstr(e.text, table[i].says))
                fail_msg("row %zu says '%s'", i, e.text);
            assert_true(exists_at(table[i].name));
            assert_int_equal(res.attempts[NAIVE], 0);
        }
    }
}

/* --- not yet, and failed attempts ------------------------------------------------------------- */

TEST(nothing_yet)
{
    struct err e = ERR_INIT;
    struct results res = collect(false, 0, &e);
    assert_null(res.unit[NAIVE]);
    assert_null(res.unit[SIMD]);
    assert_int_equal(res.attempts[NAIVE] + res.attempts[SIMD] + res.attempts[PRESET], 0);
    assert_int_equal(res.node_count, 0);
    assert_null(record_of(&res, "n1", "simd"));
    results_free(&res);
    assert_int_equal(res.unit_count, 0);
    res = collect(true, 0, &e);
    assert_infra(&res, NAIVE, "no attempt at this unit has left a result");
    assert_infra(&res, SIMD, "no attempt at this unit has left a result");
    assert_int_equal(e.kind, ERR_NONE);
    assert_false(exists_at("units")); /* looking changes nothing */
    results_free(&res);
}

TEST(failed_attempts)
{
    static const struct {
        const char *file, *text;
        int attempts; /* seen once this file is there, too */
        const char *reason;
    } table[] = {
        {"attempt-1.json", "{\"reason\":\"no\",\"when\":\"2026-01-09T00:00:00Z\"}", 0,
         "no attempt"},
        {"infra-1.txt", "{\"reason\":\"no\",\"when\":\"2026-01-09T00:00:00Z\"}", 0, "no attempt"},
        {"infra-0.json", "{", 1, "no attempt"}, /* half-written: it failed all the same */
        {"infra-9.json", "{\"reason\":\"node died\",\"when\":\"2026-01-02T00:00:00Z\"}", 2,
         "node died"},
        {"infra-1.json", "{\"reason\":\"disk full\",\"when\":\"2026-01-03T00:00:00Z\"}", 3,
         "disk full"},
        {"infra-2.json", "{\"reason\":\"older\",\"when\":\"2026-01-01T00:00:00Z\"}", 4,
         "disk full"},
        {"infra-3.json", "{\"reason\":7,\"when\":\"2026-01-09T00:00:00Z\"}", 5, "disk full"},
    };
    struct err e = ERR_INIT;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        OWNED char *name = xasprintf("units/al.naive/%s", table[i].file);
        put_at(name, table[i].text);
        FREED_BY(results_free) struct results res = collect(true, 0, &e);
        if (res.attempts[NAIVE] != table[i].attempts)
            fail_msg("%s: %d attempts", table[i].file, res.attempts[NAIVE]);
        assert_infra(&res, NAIVE, table[i].reason);
        assert_int_equal(res.attempts[SIMD], 0);
    }
    publish("al.naive", "al.naive", VERDICT_TIMEOUT); /* what came in the end counts */
    FREED_BY(results_free) struct results res = collect(true, 0, &e);
    assert_int_equal(res.unit[NAIVE]->verdict, VERDICT_TIMEOUT);
    assert_int_equal(res.attempts[NAIVE], 5);
}

TEST(complete)
{
    struct err e = ERR_INIT;
    publish("al.naive", "al.naive", VERDICT_PASS);
    publish("al.simd", "al.simd", VERDICT_WRONG_ANSWER);
    publish("bo.naive", "bo.naive", VERDICT_PASS); /* was never to be run: the plan decides */
    publish("eve.naive", "eve.naive", VERDICT_PASS);
    publish_node("n1");
    for (int final = 0; final < 2; final++) {
        FREED_BY(results_free) struct results res = collect(final, 0, &e);
        assert_string_equal(res.unit[NAIVE]->unit_id, "al.naive");
        assert_int_equal(res.unit[NAIVE]->verdict, VERDICT_PASS);
        assert_int_equal(res.unit[SIMD]->verdict, VERDICT_WRONG_ANSWER);
        assert_string_equal(res.unit[SIMD]->message, "as found");
        assert_int_equal(res.unit[SIMD]->cores, 4);
        assert_int_equal(res.node_count, 1);
        assert_string_equal(results_node(&res, res.unit[SIMD])->host, "n1");
    }
    assert_int_equal(e.kind, ERR_NONE);
}

TESTS_WITH(test_dir_clear, NULL, test_dir_make, test_dir_remove)
