/* plan.json: damaged ones are refused, good ones come back as they were. */
#include "unit.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/fsio.h"
#include "base/strbuf.h"
#include "rundir/plan.h"

#include "test_dir.h"

static void put(const char *text)
{
    OWNED char *path = xasprintf("%s/plan.json", test_dir);
    assert_int_equal(fs_write_atomic(path, text, strlen(text), NULL), 0);
}

/* Of the format that plan_load() takes, so that the rest decides. */
#define HEAD                                                                                       \
    "{\"format\":9,\"sweep\":false,\"run_id\":\"r\",\"created\":\"c\",\"assignment\":\"/"          \
    "a\",\"profile\":\"\","                                                                        \
    "\"seed\":\"0x1\","
#define SUB "\"submissions\":[{\"id\":\"s\",\"name\":\"s\",\"path\":\"/s\",\"reference\":false}],"

#define TWO                                                                                        \
    "\"submissions\":[{\"id\":\"s\",\"name\":\"s\",\"path\":\"/s\",\"reference\":false},"          \
    "{\"id\":\"t\",\"name\":\"t\",\"path\":\"/t\",\"reference\":false}],"

#define ROSTERED(fields)                                                                           \
    "\"submissions\":[{\"id\":\"s\",\"name\":\"s\",\"path\":\"/"                                   \
    "s\",\"reference\":false,\"roster\":" fields "}],\"units\":[]}"

/* Times that a file system can hold, and RFC 3339 cannot. */
TEST(times_beyond_all_years)
{
    static const int64_t beyond[] = {INT64_MAX, INT64_C(253402300800), INT64_C(-62167219201)};
    for (size_t i = 0; i < sizeof beyond / sizeof beyond[0]; i++) {
        char id[] = "s", text[] = "", assignment[] = "/a";
        struct submission s = {.id = id,
                               .name = id,
                               .path = assignment,
                               .submitted = PLAN_NO_TIME,
                               .modified = beyond[i]};
        struct plan p = {.run_id = id,
                         .created = text,
                         .assignment_path = assignment,
                         .profile = text,
                         .submissions = &s,
                         .submissions_count = 1},
                    *q;
        struct err e = ERR_INIT;
        assert_int_equal(plan_save(&p, test_dir, NULL), 0);
        if (plan_load(test_dir, &q, &e) != 0)
            fail_msg("%s", e.text);
        assert_true(q->submissions[0].modified == PLAN_NO_TIME);
        plan_free(q);
    }
}

TEST(damaged_plans)
{
    static const char *const bad[] = {
        "",
        "{",
        "[]",
        "{}",
        "nonsense",
        "{\"format\":9,\"run_id\":\"r\",\"created\":\"c\",\"assignment\":\"/a\",\"profile\":\"\","
        "\"seed\":\"1\",\"submissions\":[],\"units\":[]}",
        HEAD "\"submissions\":[{}],\"units\":[]}",
        HEAD "\"submissions\":[{\"id\":\"../x\",\"name\":\"s\",\"path\":\"/s\",\"reference\":"
             "false}],\"units\":[]}",
        HEAD "\"submissions\":[{\"id\":\"\",\"name\":\"s\",\"path\":\"/s\",\"reference\":false}],"
             "\"units\":[]}",
        HEAD "\"submissions\":[{\"id\":\"s\",\"name\":{\"bytes\":\"0\"},\"path\":\"/s\","
             "\"reference\":false}],\"units\":[]}",
        HEAD "\"submissions\":[{\"id\":\"s\",\"name\":{\"bytes\":\"00\"},\"path\":\"/s\","
             "\"reference\":false}],\"units\":[]}",
        HEAD "\"roster\":{}," SUB "\"units\":[]}",
        HEAD "\"roster\":[1]," SUB "\"units\":[]}",
        HEAD "\"roster\":[\"m\"]," ROSTERED("[1]"),
        HEAD "\"roster\":[\"m\"]," ROSTERED("{}"),
        HEAD "\"roster\":[\"m\"]," ROSTERED("[\"a\",\"b\"]"),
        HEAD ROSTERED("[\"a\"]"),
        HEAD SUB "\"units\":[],\"only\":6}",
        HEAD SUB "\"units\":[],\"only\":{}}",
        HEAD SUB "\"units\":[],\"only\":{\"case\":-2,\"size\":\"\",\"threads\":0,\"timed\":true}}",
        HEAD SUB
        "\"units\":[],\"only\":{\"case\":6,\"size\":\"9x9\",\"threads\":0,\"timed\":true}}",
        HEAD SUB "\"units\":[],\"only\":{\"case\":6,\"size\":\"\",\"threads\":-4,\"timed\":true}}",
        HEAD SUB "\"units\":[{\"id\":\"s.a\",\"submission\":1,\"tier\":0}]}",
        HEAD SUB "\"units\":[{\"id\":\"s.a\",\"submission\":-1,\"tier\":0}]}",
        HEAD SUB "\"units\":[{\"id\":\"s.a\",\"submission\":0,\"tier\":-1}]}",
        HEAD TWO "\"units\":[{\"id\":\"t.a\",\"submission\":1,\"tier\":0},"
                 "{\"id\":\"s.a\",\"submission\":0,\"tier\":0}]}",
        HEAD SUB "\"units\":[{\"id\":\"../s.a\",\"submission\":0,\"tier\":0}]}",
        HEAD SUB "\"units\":[{\"id\":\"s.a\",\"submission\":0,\"tier\":0,\"verdict\":\"nope\"}]}",
        HEAD SUB "\"units\":[{\"id\":\"s.a\",\"submission\":0,\"tier\":0,\"source\":\"../a.c\"}]}",
        HEAD SUB "\"units\":[{\"id\":\"s.a\",\"submission\":0,\"tier\":0,\"source\":\"..\"}]}",
        HEAD SUB "\"units\":[{\"id\":\"s.a\",\"submission\":0,\"tier\":0,\"source\":"
                 "{\"bytes\":\"2f61\"}}]}",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct plan *p;
        struct err e = ERR_INIT;
        put(bad[i]);
        if (plan_load(test_dir, &p, &e) == 0)
            fail_msg("taken: %s", bad[i]);
        assert_null(p);
        assert_int_equal(e.kind, ERR_INPUT);
        assert_non_null(strstr(e.text, "plan.json"));
        if (strstr(e.text, "this program reads format"))
            fail_msg("refused for its format, and not for what is wrong: %s", bad[i]);
    }
}

/* Without what is wrong with the others. */
TEST(smallest_plans)
{
    static const char *const good[] = {
        HEAD SUB "\"units\":[]}",
        HEAD "\"roster\":[\"m\"]," SUB "\"units\":[]}",
        HEAD "\"roster\":[\"m\"]," ROSTERED("[\"a\"]"),
    };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        struct plan *p;
        struct err e = ERR_INIT;
        put(good[i]);
        if (plan_load(test_dir, &p, &e) != 0)
            fail_msg("%s: %s", e.text, good[i]);
        assert_false(subset_is_part(&p->only));
        plan_free(p);
    }
}

TEST(no_plan)
{
    struct plan *p;
    struct err e = ERR_INIT;
    assert_int_equal(plan_load("/nonexistent", &p, &e), -1);
    assert_null(p);
}

TEST(round_trip)
{
    char *columns[] = {"mail", "gr\xc3\xbc\"p\""}, *fields[] = {"a@x,\r\nb@x", ""};
    struct submission subs[] = {
        {"reference", "reference", "/ref", true, NULL, PLAN_NO_TIME, PLAN_NO_TIME},
        {"a%20b", "a b\n\"'$(x)", "/x/a b\n\"'$(x)", false, fields, 1796083140, 5},
        {"%FFz", "\xffz", "/x/\xffz", false, NULL, PLAN_NO_TIME, 0},
    };
    struct unit units[] = {
        {0, "reference.simd", 0, 1, "simd.c", false, VERDICT_PASS, NULL, "ab12"},
        {1, "a%20b.simd", 1, 1, NULL, true, VERDICT_MISSING, "there is no simd.c", NULL},
        {2, "%FFz.simd", 2, 1, NULL, true, VERDICT_FORBIDDEN, "bytes \xff in it", NULL},
    };
    const struct plan p = {.run_id = "run-1",
                           .created = "2026",
                           .assignment_path = "/as\xfe.yaml",
                           .profile = "quick",
                           .seed = UINT64_MAX,
                           .self_test = true,
                           .sweep = true,
                           .unprotected = true,
                           .roster_columns = columns,
                           .roster_columns_count = 2,
                           .only = {true, 6, {20, 30, 40}, 4, true},
                           .submissions = subs,
                           .submissions_count = 3,
                           .units = units,
                           .units_count = 3};
    struct err e = ERR_INIT;
    struct plan *q;
    assert_int_equal(plan_save(&p, test_dir, &e), 0);
    assert_int_equal(plan_load(test_dir, &q, &e), 0);
    assert_string_equal(q->run_id, p.run_id);
    assert_string_equal(q->profile, "quick");
    assert_true(q->self_test && q->sweep && q->unprotected);
    assert_true(q->only.one_case && q->only.untimed);
    assert_int_equal(q->only.case_index, 6);
    assert_int_equal(q->only.threads, 4);
    assert_true(shape_equal(q->only.size, p.only.size));
    assert_string_equal(plan_reference_id(q), "reference");
    assert_true(q->submissions[plan_reference(q)].is_reference);
    for (int i = 0; i < 3; i++)
        assert_int_equal(plan_unit_of(q, units[i].submission, units[i].tier), i);
    assert_int_equal(plan_unit_of(q, -1, units[0].tier), -1);
    assert_true(plan_has_tier(q, units[0].tier));
    assert_false(plan_has_tier(q, 99));
    assert_string_equal(q->assignment_path, "/as\xfe.yaml");
    assert_true(q->seed == UINT64_MAX);
    assert_int_equal(q->roster_columns_count, 2);
    for (int i = 0; i < 2; i++) {
        assert_string_equal(q->roster_columns[i], columns[i]);
        assert_string_equal(q->submissions[1].roster_fields[i], fields[i]);
    }
    assert_null(q->submissions[0].roster_fields);
    for (unsigned i = 0; i < 3; i++) {
        assert_true(q->submissions[i].submitted == subs[i].submitted);
        assert_true(q->submissions[i].modified == subs[i].modified);
    }
    assert_int_equal(q->submissions_count, 3);
    for (int i = 0; i < 3; i++) {
        assert_string_equal(q->submissions[i].id, subs[i].id);
        assert_string_equal(q->submissions[i].name, subs[i].name);
        assert_string_equal(q->submissions[i].path, subs[i].path);
        assert_int_equal(q->submissions[i].is_reference, subs[i].is_reference);
        assert_int_equal(q->units[i].index, i);
        assert_int_equal(q->units[i].submission, i);
        assert_int_equal(q->units[i].preset, units[i].preset);
        if (units[i].preset) {
            assert_int_equal(q->units[i].verdict, units[i].verdict);
            assert_string_equal(q->units[i].message, units[i].message);
        }
    }
    assert_string_equal(q->units[0].source, "simd.c");
    assert_null(q->units[1].source);
    assert_int_equal(plan_unit(q, "%FFz.simd"), 2);
    assert_int_equal(plan_unit(q, "%FFz"), -1);
    plan_free(q);

    /* The plan holds the seed: nobody else may read it. */
    struct stat st;
    OWNED char *path = xasprintf("%s/plan.json", test_dir);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
}

/* Submissions have any number of units, also none: at the start, in the middle, at the end. */
TEST(units_of_a_submission)
{
    enum { SUBMISSIONS = 5, UNITS = 4, TIERS = 3 };
    struct unit units[UNITS] = {{.submission = 1, .tier = 2},
                                {.submission = 3, .tier = 0},
                                {.submission = 3, .tier = 2},
                                {.submission = 3, .tier = 1}};
    static const struct unit_range range[SUBMISSIONS] = {{0, 0}, {0, 1}, {1, 1}, {1, 4}, {4, 4}};
    const struct plan p = {.submissions_count = SUBMISSIONS, .units = units, .units_count = UNITS},
                      without = {.submissions_count = SUBMISSIONS};
    for (int s = 0; s < SUBMISSIONS; s++) {
        const struct unit_range got = plan_units_of(&p, s), none = plan_units_of(&without, s);
        assert_int_equal(got.first, range[s].first);
        assert_int_equal(got.end, range[s].end);
        assert_int_equal(none.first, none.end);
        for (int t = 0; t < TIERS; t++) {
            int wanted = -1;
            for (int u = 0; u < UNITS; u++)
                if (units[u].submission == s && units[u].tier == t)
                    wanted = u;
            assert_int_equal(plan_unit_of(&p, s, t), wanted);
        }
    }
    const struct unit_range all = plan_units_of(&p, -1);
    assert_int_equal(all.first, 0);
    assert_int_equal(all.end, UNITS);
    assert_int_equal(plan_unit_of(&p, -1, 2), -1);
}

TESTS(test_dir_make, test_dir_remove)
