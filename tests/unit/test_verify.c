/* Comparing: each difference is named where it is; what is equal is not. */
#include "unit.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "base/fsio.h"
#include "base/strbuf.h"
#include "model/protection.h"
#include "report/receipt.h"
#include "verify/comparisons.h"

#include "test_dir.h"

/* Every difference on one line: "where|field|recorded|recomputed". */
static char *listed(const struct differences *v)
{
    struct strbuf sb = STRBUF_INIT;
    for (size_t i = 0; i < v->count; i++) {
        const struct difference *d = &v->item[i];
        strbuf_addf(&sb, "%s%s|%s|%s|%s", i ? "\n" : "", d->where, d->field, d->recorded,
                    d->recomputed);
    }
    return strbuf_detach(&sb);
}

static void assert_listed(struct differences *v, const char *wanted)
{
    OWNED char *is = listed(v);
    assert_string_equal(is, wanted);
    differences_free(v);
}

TEST(json_values)
{
    static const struct {
        const char *recorded, *recomputed, *differences;
    } table[] = {
        {"{\"a\": 1}", "{\"a\": 2}", "|a|1|2"},
        {"{\"a\": 1}", "{\"a\": 1.5}", "|a|1|1.5"},
        {"{\"a\": 1}", "{}", "|a|1|(not there)"},
        {"{}", "{\"a\": {\"b\": 1}}", "|a|(not there)|{\"b\":1}"},
        {"{\"a\": {\"b\": true}}", "{\"a\": {\"b\": null}}", "|a.b|true|null"},
        {"{\"a\": [1, 2]}", "{\"a\": [1]}", "|a[1]|2|(not there)"},
        {"[{\"unit\": \"x\", \"v\": 1}]", "[{\"unit\": \"x\", \"v\": 2}]", "x|v|1|2"},
        {"[{\"id\": \"al\", \"units\": [{\"unit\": \"al.simd\", \"v\": \"p\"}]}]",
         "[{\"id\": \"al\", \"units\": [{\"unit\": \"al.simd\", \"v\": \"q\"}]}]", "al.simd|v|p|q"},
        {"{\"a\": \"x\\ny\"}", "{\"a\": 1}", "|a|x y|1"},
        {"{\"a\": [1, {\"b\": 2}]}", "{\"a\": [1, {\"b\": 2}]}", ""},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct differences v = {0};
        json_auto_t *a = json_loads(table[i].recorded, 0, NULL),
                    *b = json_loads(table[i].recomputed, 0, NULL);
        assert_non_null(a);
        assert_non_null(b);
        verify_json((struct place){"f", "", ""}, a, b, &v);
        assert_listed(&v, table[i].differences);
    }
}

TEST(tables)
{
    static const struct {
        const char *recorded, *recomputed, *differences;
        bool strict;
        size_t notes;
    } table[] = {
        {"a,b\r\nx,1\r\n", "a,b\r\nx,2\r\n", "row 1 (x 2)|b|1|2", true, 0},
        {"a,b\r\nx,1\r\n", "a,c\r\nx,1\r\n", "header|c|b|c", true, 0},
        {"a,b\r\nx,1\r\n", "a,b\r\nx,1\r\ny,2\r\n", "|rows|1|2", true, 0},
        {"a,b\r\ny,2\r\nz,3\r\n", "a,b\r\nx,1\r\ny,2\r\nz,3\r\n",
         "|rows|2|3\nrow 1 (x 1)|a|y|x\nrow 1 (x 1)|b|2|1", true, 0},
        {"a,b\nx,1\r\n", "a,b\r\nx,1\r\n", "line 1||a,b|a,b ", true, 0},
        {"a,b\r\nx,\"1\"\r\n", "a,b\r\nx,1\r\n", "line 2||x,\"1\" |x,1 ", true, 0},
        {"a,\"b\r\n", "a,b\r\n", "line 1||a,\"b |a,b ", true, 0},
        {"", "a,b\r\n", "line 1||(not there)|a,b ", true, 0},
        {"a\r\nx\r\n", "a,b\r\nx,1\r\n", "", false, 1},
        {"a,b\r\nx,1\r\n", "a,b\r\nx,2\r\n", "row 1 (x 2)|b|1|2", false, 0},
        {"a,b\r\nx,1\r\n", "a,b\r\nx,1\r\n", "", true, 0},
    };
    OWNED char *was = xasprintf("%s/was.csv", test_dir), *is = xasprintf("%s/is.csv", test_dir);
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct differences v = {0};
        const char *a = table[i].recorded, *b = table[i].recomputed;
        assert_int_equal(fs_write_atomic(was, a, strlen(a), NULL), 0);
        assert_int_equal(fs_write_atomic(is, b, strlen(b), NULL), 0);
        verify_table("t.csv", was, is, table[i].strict, &v);
        assert_int_equal(v.notes, table[i].notes);
        assert_listed(&v, table[i].differences);
    }
    struct differences v = {0};
    assert_int_equal(fs_remove_tree(was, NULL), 0);
    verify_table("t.csv", was, is, true, &v);
    assert_listed(&v, "||(not there)|a table");
    v = (struct differences){0};
    assert_int_equal(rename(is, was), 0);
    verify_table("t.csv", was, is, true, &v);
    assert_listed(&v, "||a table|(not there)");
    v = (struct differences){0};
    verify_table("t.csv", was, is, false, &v); /* of a program that writes tables without rows */
    assert_int_equal(v.notes, 1);
    assert_listed(&v, "");
    v = (struct differences){0};
    assert_int_equal(fs_remove_tree(was, NULL), 0);
    verify_table("t.csv", was, is, true, &v); /* no rows, and none now */
    assert_listed(&v, "");
}

/* What cannot be read is equal to nothing, not even to another thing that cannot be read. */
TEST(unreadable)
{
    OWNED char *was = at("was-a-directory"), *is = at("is-a-directory");
    struct differences v = {0};
    assert_int_equal(fs_mkdirs(was, NULL), 0);
    assert_int_equal(fs_mkdirs(is, NULL), 0);
    verify_table("t.csv", was, is, true, &v);
    assert_listed(&v, "|sha256|(not a readable file)|(not a readable file)");
    fs_remove_tree(was, NULL);
    fs_remove_tree(is, NULL);

    OWNED char *run = at("unreadable"), *fifo = at("unreadable/sources/al/a.h");
    struct since since;
    put_at("unreadable/sources/al/b.h", "");
    assert_int_equal(mkfifo(fifo, 0600), 0);
    json_auto_t *files = receipt_files(run);
    const struct receipts r = {.doc = json_pack("{s:O}", "files", files)};
    assert_int_equal(verify_files(run, NULL, &r, files, &since, &v), 2);
    assert_listed(&v, "|sha256|(not a readable file)|(not a readable file)");
    json_decref(r.doc);
}

/* A result of one case, and what can be wrong with it. */
TEST(results)
{
    struct sample x = {.reps = 1, .alone = 8, .yardstick = 8, .unit = 2};
    struct tier tier = {.kernel = &kernel_gemm_i32};
    struct assignment a = {.tiers = &tier, .tiers_count = 1, .performance = {.precision = 0.1}};
    struct test_case t = {.kind = CASE_PERFORMANCE, .shape = {64, 64, 64}};
    struct unit unit = {.id = (char[]){"al.simd"}};
    struct plan plan = {.units = &unit, .units_count = 1};
    const struct run r = {
        .dir = test_dir, .assignment = &a, .plan = &plan, .cases = {.item = &t, .count = 1}};
    const struct case_result fine = {.launch = {1, 1}, .samples = &x, .samples_count = 1};
    const struct case_result untimed = {.launch = {1, 1}};
    struct case_result beyond = fine, crashed = untimed;
    beyond.case_index = 1;
    crashed.verdict = VERDICT_CRASH;
    const struct {
        const struct case_result *c;
        enum verdict verdict;
        const char *differences;
    } table[] = {
        {&beyond, VERDICT_PASS, "al.simd case 1 1x1|case|1|the assignment has fewer"},
        {&fine, VERDICT_CRASH, "al.simd|verdict|crash|pass"},
        {&crashed, VERDICT_PASS, "al.simd|verdict|pass|crash"},
        {&crashed, VERDICT_CRASH, ""},
        {&untimed, VERDICT_PASS, ""},
        {&fine, VERDICT_PASS, ""},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct differences v = {0};
        struct case_result c = *table[i].c;
        struct unit_result u = {.unit_id = unit.id,
                                .verdict = table[i].verdict,
                                .source_hash = (char[]){""},
                                .device = (char[]){""},
                                .cases = &c,
                                .cases_count = 1};
        case_result_derive(&c, 8, 0.1);
        verify_result(&r, 0, &u, NULL, &v);
        assert_listed(&v, table[i].differences);
    }
}

/* Times that cannot be true, and times that are doubtful: 64 x 64 x 64 in 4 s, by one core. */
TEST(times)
{
    struct sample x = {.reps = 1, .alone = 8, .yardstick = 8, .unit = 4};
    struct tier tier = {.kernel = &kernel_gemm_i32};
    struct assignment a = {.tiers = &tier, .tiers_count = 1, .performance = {.precision = 0.1}};
    struct test_case t = {.kind = CASE_PERFORMANCE, .shape = {64, 64, 64}};
    struct unit unit = {.id = (char[]){"al.simd"}};
    struct plan plan = {.units = &unit, .units_count = 1};
    const struct run r = {
        .dir = test_dir, .assignment = &a, .plan = &plan, .cases = {.item = &t, .count = 1}};
    const double rate = 2.0 * 64 * 64 * 64 / 4 * 1e-9;
    static const struct {
        double share; /* of the peak */
        enum verdict verdict;
        enum attested attested;
        const char *says; /* of the one difference; NULL: there is none */
    } table[] = {
        {4, VERDICT_PASS, ATTESTED_UNKNOWN, "|verdict|pass|0.0 GOP/s, 400%"},
        {4, VERDICT_PASS, ATTESTED_NO, "|verdict|pass|0.0 GOP/s, 400%"},
        {4, VERDICT_CLOCK_MISMATCH, ATTESTED_UNKNOWN, NULL},
        {1.3, VERDICT_CLOCK_MISMATCH, ATTESTED_UNKNOWN, "|verdict|clock-mismatch|0.0 GOP/s, 130%"},
        {1.3, VERDICT_PASS, ATTESTED_UNKNOWN, "|attested|not flagged|0.0 GOP/s, 130%"},
        {1.3, VERDICT_PASS, ATTESTED_YES, "|attested|not flagged|0.0 GOP/s, 130%"},
        {1.3, VERDICT_PASS, ATTESTED_NO, NULL},
        {1.1, VERDICT_PASS, ATTESTED_YES, NULL},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        FREED_BY(differences_free) struct differences v = {0};
        const struct node_record node = {.host = (char[]){"n1"},
                                         .peak_gops = rate / table[i].share};
        struct case_result c = {
            .launch = {1, 1}, .verdict = table[i].verdict, .samples = &x, .samples_count = 1};
        struct unit_result u = {.unit_id = unit.id,
                                .verdict = table[i].verdict,
                                .attested = table[i].attested,
                                .source_hash = (char[]){""},
                                .device = (char[]){""},
                                .cases = &c,
                                .cases_count = 1};
        case_result_derive(&c, 8, 0.1);
        verify_result(&r, 0, &u, &node, &v);
        OWNED char *is = listed(&v);
        if (table[i].says ? v.count != 1 || !strstr(is, table[i].says) : v.count != 0)
            fail_msg("row %zu: '%s'", i, is);
    }
}

/* What was in force, and what the assignment requires. */
TEST(protections)
{
    const int landlock = PROTECTION_BIT(PROTECTION_LANDLOCK),
              seccomp = PROTECTION_BIT(PROTECTION_SECCOMP);
    const struct {
        unsigned required;
        bool unprotected, ran;
        int had;
        const char *differences;
    } table[] = {
        {0, false, true, 0, ""},
        {landlock, false, true, 0, "al.simd|protections|none|landlock"},
        {landlock | seccomp, false, true, landlock,
         "al.simd|protections|landlock|landlock seccomp"},
        {landlock | seccomp, false, false, landlock, ""}, /* it was compiled only */
        {seccomp, false, true, landlock | seccomp, ""},
        {landlock, true, true, 0, ""},
        {landlock, false, true, PROTECTIONS_UNKNOWN, ""}, /* a result without any run */
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct tier tier = {.kernel = &kernel_gemm_i32};
        struct assignment a = {.tiers = &tier, .tiers_count = 1, .protections = table[i].required};
        struct test_case t = {.shape = {64, 64, 64}};
        struct unit unit = {.id = (char[]){"al.simd"}};
        struct plan plan = {.units = &unit, .units_count = 1, .unprotected = table[i].unprotected};
        const struct run r = {
            .dir = test_dir, .assignment = &a, .plan = &plan, .cases = {.item = &t, .count = 1}};
        struct case_result c = {.launch = {1, 1}};
        struct unit_result u = {.unit_id = unit.id,
                                .source_hash = (char[]){""},
                                .device = (char[]){""},
                                .protections = table[i].had,
                                .cases = &c,
                                .cases_count = table[i].ran};
        struct differences v = {0};
        verify_result(&r, 0, &u, NULL, &v);
        assert_listed(&v, table[i].differences);
    }
}

/* Receipts know when they were edited. */
TEST(receipts_themselves)
{
    json_auto_t *doc =
        json_pack("{s:{s:s}, s:[{s:s, s:f}], s:{s:s}}", "run", "run", "r", "submissions", "id",
                  "al", "points", 7.5, "files", "plan.json", "00");
    json_t *s = json_array_get(json_object_get(doc, "submissions"), 0);
    char digest[DIGEST_HEX];
    receipt_json_digest(json_object_get(doc, "run"), digest);
    json_object_set_new(doc, "run_sha256", json_string(digest));
    receipt_json_digest(json_object_get(doc, "files"), digest);
    json_object_set_new(doc, "files_sha256", json_string(digest));
    receipt_submission_digest(s, digest);
    json_object_set_new(s, "receipt", json_string(digest));
    assert_string_equal(receipt_of(doc, 0), digest);
    assert_string_equal(receipt_of(doc, 1), "");

    struct differences v = {0};
    verify_receipts_themselves(doc, &v);
    assert_listed(&v, "");
    json_object_set_new(s, "points", json_real(8));
    verify_receipts_themselves(doc, &v);
    assert_int_equal(v.count, 1);
    assert_string_equal(v.item[0].where, "al");
    assert_string_equal(v.item[0].field, "receipt");
    differences_free(&v);
    json_object_set_new(json_object_get(doc, "files"), "plan.json", json_string("01"));
    json_object_set_new(json_object_get(doc, "run"), "run", json_string("q"));
    verify_receipts_themselves(doc, &v);
    assert_int_equal(v.count, 3);
    differences_free(&v);
}

/* File names are bytes; none may hide behind another's key. */
TEST(file_names)
{
    static const char *const names[] = {"a.h", "a b.h", "a%20b.h", "?a%20b.h", "\xff.h"};
    OWNED char *dir = xasprintf("%s/run/sources/al", test_dir),
               *run = xasprintf("%s/run", test_dir);
    assert_int_equal(fs_mkdirs(dir, NULL), 0);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        OWNED char *path = xasprintf("%s/%s", dir, names[i]);
        assert_int_equal(fs_write_atomic(path, names[i], strlen(names[i]), NULL), 0);
    }
    json_auto_t *files = receipt_files(run);
    assert_int_equal(json_object_size(files), sizeof names / sizeof names[0]);
    assert_non_null(json_object_get(files, "sources/al/a.h"));
    assert_non_null(json_object_get(files, "sources/al/a%20b.h"));
    assert_non_null(json_object_get(files, "sources/al/?a%20b.h"));
    assert_non_null(json_object_get(files, "sources/al/?%3Fa%2520b.h"));
    assert_non_null(json_object_get(files, "sources/al/?%FF.h"));
}

TESTS(test_dir_make, test_dir_remove)
