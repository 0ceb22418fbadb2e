/* Results on disk: what is written is read again exactly; anything damaged is refused. */
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/fsio.h"
#include "base/rng.h"
#include "base/strbuf.h"
#include "rundir/node_file.h"
#include "rundir/result_file.h"

#include "test_dir.h"

TEST_FILE("result.json")

static void publish(void)
{
    struct sample samples[2] = {{.start = 0,
                                 .reps = 3,
                                 .alone = 1.0 / 3,
                                 .yardstick = 0.5,
                                 .unit = 0.25,
                                 .cores = NAN,
                                 .busiest = NAN},
                                {.start = 3,
                                 .reps = 4,
                                 .alone = 0.3,
                                 .yardstick = 0.31,
                                 .unit = 0.2,
                                 .cores = 1.0 / 7,
                                 .busiest = 0.75,
                                 .end_to_end = 0.4,
                                 .device = 0.19}};
    struct rank_work ranks[2] = {{0.5, 1.0 / 7, 4096, true}, {NAN, NAN, 0, false}};
    struct case_result cases[2] = {
        {.case_index = 4,
         .launch_index = 0,
         .launch = {1, 2},
         .verdict = VERDICT_PASS,
         .runs = 2,
         .samples = samples,
         .samples_count = 2,
         .ranks = ranks,
         .ranks_count = 2,
         .counters = {.runs = 3, .value = {NAN, 1.0 / 3, 7, NAN, 0, 0.5}, .reason = "no cycles"}},
        {.case_index = 5,
         .launch_index = -1,
         .launch = {14, 7, 2},
         .verdict = VERDICT_WRONG_ANSWER,
         .message = "C[0][1]: \"wrong\"",
         .mismatch = {.present = true,
                      .row = 0,
                      .col = 1,
                      .expected = "-2147483648",
                      .got = "nan",
                      .wrong = 1,
                      .total = 9,
                      .pattern = "only row 0"},
         .runs = 9,
         .failed_runs = 2,
         .cause = CAUSE_RACE},
    };
    struct unit_result r = {.unit_id = (char[]){"a.simd"},
                            .verdict = VERDICT_WRONG_ANSWER,
                            .message = (char[]){"m"},
                            .output = (char[]){"caf\xe9"}, /* not UTF-8 */
                            .build_seconds = 1.0 / 7,
                            .attested = ATTESTED_NO,
                            .evidence = (char[]){"simd: none"},
                            .remarks = (char[]){"a.c:3: one\nb.c:4: two"},
                            .protections = PROTECTION_BIT(PROTECTION_SECCOMP),
                            .cases = cases,
                            .cases_count = 2,
                            .smallest = {.present = true,
                                         .shape = {.dim = {1, 15, 1}},
                                         .values = "negative",
                                         .seed = UINT64_C(0xfedcba9876543210),
                                         .launch = {1, 3},
                                         .verdict = VERDICT_WRONG_ANSWER,
                                         .message = "C[0][8]",
                                         .runs = 3,
                                         .failed_runs = 2,
                                         .tried = 40,
                                         .seconds = 0.125,
                                         .finished = true}};
    unlink(file);
    assert_int_equal(unit_result_publish(&r, file, NULL), 0);
    assert_int_equal(unit_result_publish(&r, file, NULL), 1); /* the first writer wins */
}

TEST(round_trip)
{
    publish();
    struct unit_result *r;
    struct err e = ERR_INIT;
    if (unit_result_load(file, &r, &e) != 0)
        fail_msg("%s", e.text);
    assert_string_equal(r->unit_id, "a.simd");
    assert_string_equal(r->output, "caf?");
    assert_true(r->build_seconds == 1.0 / 7);
    assert_int_equal(r->cases_count, 2);
    const struct sample *x = r->cases[0].samples;
    assert_int_equal(r->cases[0].samples_count, 2);
    const struct counters *n = &r->cases[0].counters;
    assert_true(n->runs == 3 && isnan(n->value[COUNTER_CYCLES]) &&
                n->value[COUNTER_TASK_CLOCK] == 0.5);
    assert_true(n->value[COUNTER_INSTRUCTIONS] == 1.0 / 3 && n->value[COUNTER_PAGE_FAULTS] == 0);
    assert_string_equal(n->reason, "no cycles");
    assert_int_equal(r->cases[1].counters.runs, 0);
    assert_true(x[0].start == 0 && x[0].reps == 3 && x[0].alone == 1.0 / 3);
    assert_true(x[0].yardstick == 0.5 && x[0].unit == 0.25);
    assert_true(isnan(x[0].cores) && isnan(x[0].busiest));
    assert_true(x[0].end_to_end == 0 && x[0].device == 0);
    assert_true(x[1].start == 3 && x[1].reps == 4 && x[1].alone == 0.3);
    assert_true(x[1].yardstick == 0.31 && x[1].unit == 0.2);
    assert_true(x[1].cores == 1.0 / 7 && x[1].busiest == 0.75);
    assert_true(x[1].end_to_end == 0.4 && x[1].device == 0.19);
    assert_int_equal(r->cases[1].samples_count, 0);
    assert_string_equal(r->cases[1].mismatch.expected, "-2147483648");
    assert_string_equal(r->cases[1].mismatch.got, "nan");
    assert_string_equal(r->cases[1].mismatch.pattern, "only row 0");
    assert_true(r->cases[1].cause == CAUSE_RACE && r->cases[0].cause == CAUSE_NONE);
    assert_int_equal(r->cases[1].failed_runs, 2);
    assert_true(launch_equal(r->cases[0].launch, launch_here(1, 2)));
    assert_true(launch_equal(r->cases[1].launch, (struct launch){14, 7, 2, 0}));
    assert_true(launch_equal(r->smallest.launch, launch_here(1, 3)));
    assert_ptr_equal(unit_result_first_failure(r), &r->cases[1]);
    const struct smallest_result *s = &r->smallest;
    assert_true(s->present && s->finished && s->seed == UINT64_C(0xfedcba9876543210));
    assert_true(s->shape.dim[0] == 1 && s->shape.dim[1] == 15 && s->shape.dim[2] == 1);
    assert_true(strcmp(s->values, "negative") == 0 && s->launch.threads == 3 &&
                s->seconds == 0.125);
    assert_true(s->runs == 3 && s->failed_runs == 2 && s->tried == 40);
    assert_int_equal(s->verdict, VERDICT_WRONG_ANSWER);
    assert_string_equal(s->message, "C[0][8]");
    assert_int_equal(r->attested, ATTESTED_NO);
    assert_string_equal(r->evidence, "simd: none");
    assert_string_equal(r->remarks, "a.c:3: one\nb.c:4: two");
    unit_result_remark(r, "c.c:%d", 5);
    assert_string_equal(r->remarks, "a.c:3: one\nb.c:4: two\nc.c:5");
    assert_string_equal(r->sanitized, "");
    assert_int_equal(r->protections, PROTECTION_BIT(PROTECTION_SECCOMP));
    assert_int_equal(r->cases[0].ranks_count, 2);
    assert_int_equal(r->cases[1].ranks_count, 0);
    assert_true(r->cases[0].ranks[0].mpi_seconds == 1.0 / 7 && r->cases[0].ranks[0].shared);
    assert_int_equal(r->cases[0].ranks[0].bytes, 4096);
    assert_true(isnan(r->cases[0].ranks[1].compute_seconds));
    unit_result_free(r);
}

/* Ranks tell what they did, and no number of theirs makes a result that cannot be read again. */
TEST(ranks_that_tell_too_much)
{
    static const struct {
        uint64_t first, second, sum;
    } table[] = {
        {1000, 24, 1024},
        {RANK_BYTES_MOST - 1, 1, RANK_BYTES_MOST},
        {INT64_MAX, INT64_MAX, RANK_BYTES_MOST},
        {UINT64_MAX, UINT64_MAX, RANK_BYTES_MOST},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct rank_work sum = {0}, told = {1, 2, table[i].first, true};
        struct case_result c = {.launch = {2, 1}, .ranks = &sum, .ranks_count = 1};
        struct unit_result r = {.unit_id = (char[]){"a.mpi"}, .cases = &c, .cases_count = 1};
        struct unit_result *read;
        struct err e = ERR_INIT;
        rank_work_add(&sum, &told);
        told.bytes = table[i].second;
        told.shared = false;
        rank_work_add(&sum, &told);
        unlink(file);
        assert_int_equal(unit_result_publish(&r, file, NULL), 0);
        if (unit_result_load(file, &read, &e) != 0)
            fail_msg("%s", e.text);
        const struct rank_work *w = read->cases[0].ranks;
        assert_int_equal(w->bytes, table[i].sum);
        assert_true(w->compute_seconds == 2 && w->mpi_seconds == 4 && w->shared);
        unit_result_free(read);
    }
}

/* A race tells more than the patterns it leaves, but not more than mistakes of one worker. */
TEST(spokesmen)
{
    struct case_result c[] = {
        {.launch = {1, 1}, .verdict = VERDICT_PASS},
        {.launch = {1, 2},
         .verdict = VERDICT_WRONG_ANSWER,
         .mismatch = {.present = true, .wrong = 1, .total = 100}},
        {.launch = {1, 2},
         .verdict = VERDICT_WRONG_ANSWER,
         .mismatch = {.present = true, .wrong = 1, .total = 1},
         .cause = CAUSE_RACE,
         .runs = 500,
         .failed_runs = 1},
        {.launch = {1, 16},
         .verdict = VERDICT_WRONG_ANSWER,
         .mismatch = {.present = true, .wrong = 1, .total = 1},
         .cause = CAUSE_RACE,
         .runs = 10,
         .failed_runs = 2},
    };
    struct unit_result r = {.verdict = VERDICT_WRONG_ANSWER, .cases = c, .cases_count = 3};
    assert_ptr_equal(unit_result_first_failure(&r), &c[2]);
    r.cases_count = 4;
    assert_ptr_equal(unit_result_first_failure(&r), &c[3]);
    c[0].verdict = VERDICT_WRONG_ANSWER;
    assert_ptr_equal(unit_result_first_failure(&r), &c[1]);
}

/* Cut anywhere, the file is refused with its name, and nothing crashes. */
TEST(truncated)
{
    publish();
    OWNED char *data = NULL;
    size_t n;
    assert_int_equal(fs_read(file, 1 << 20, &data, &n, NULL), 0);
    for (size_t cut = 0; cut + 3 < n; cut += 7) {
        struct unit_result *r;
        struct err e = ERR_INIT;
        assert_int_equal(fs_write_atomic(file, data, cut, NULL), 0);
        assert_int_equal(unit_result_load(file, &r, &e), -1);
        assert_null(r);
        assert_non_null(strstr(e.text, "result.json"));
    }
}

/* The shape of a node's speeds: nothing is cut to fit. */
TEST(shapes_of_nodes)
{
    static const struct {
        const char *shape;
        bool fine;
    } table[] = {
        {"[4294967297, 64, 64]", false},
        {"[2147483648, 64, 64]", false},
        {"[0, 64, 64]", false},
        {"[-1, 64, 64]", false},
        {"[]", false},
        {"[64, 64]", true},
        {"[64, 64, 64, 64]", true},
        {"[64, 64, 64, 64, 64]", false},
        {"[64, 64.0, 64]", false},
        {"{}", false},
        {"64", false},
        {"[64, 20, 2147483647]", true},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        OWNED char *text = xasprintf("{\"host\": \"n\", \"yardstick\": \"\", \"model\": \"\", "
                                     "\"device\": false, \"started\": \"\", \"kernel\": \"\", "
                                     "\"microcode\": \"\", \"driver\": \"\", "
                                     "\"cores\": 1, \"cores_total\": 1, \"l2\": 0, "
                                     "\"l3\": 0, \"peak_gops\": 1, \"bandwidth_gbs\": 1, "
                                     "\"tiles\": false, \"overhead_us\": 1, \"ceilings\": [], "
                                     "\"calibrations\": [{\"shape\": %s, \"known\": null, "
                                     "\"samples\": []}]}",
                                     table[i].shape);
        struct node_record *n;
        struct err e = ERR_INIT;
        assert_int_equal(fs_write_atomic(file, text, strlen(text), NULL), 0);
        int rc = node_record_load(file, &n, &e);
        if ((rc == 0) != table[i].fine)
            fail_msg("%s: %d %s", table[i].shape, rc, e.text);
        if (rc != 0)
            assert_non_null(strstr(e.text, "'shape'"));
        node_record_free(n);
    }
}

/* The samples of a node's baseline. Its unit may be unknown: then only the yardstick was timed. */
TEST(calibrations_of_nodes)
{
    static const struct {
        const char *known, *alone, *yardstick, *unit;
        const char *says; /* NULL: it is read */
    } table[] = {
        {"-1", "1", "1", "2", "'known' is not a positive time"},
        {"0", "1", "1", "2", "'known' is not a positive time"},
        {"\"1\"", "1", "1", "2", "'known' is not a number"},
        {"1", "null", "1", "2", "holds a time that is not positive"},
        {"1", "0", "1", "2", "holds a time that is not positive"},
        {"1", "1", "-1", "2", "holds a time that is not positive"},
        {"1", "1", "1", "-2", "holds a time that is not positive"},
        {"1", "1", "1", "true", "'unit' is not a number"},
        {"null", "1", "null", "null", NULL},
        {"0.5", "1.25", "1.5", "2", NULL},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char *text = xasprintf(
            "{\"host\": \"n\", \"yardstick\": \"\", \"model\": \"\", \"device\": false, "
            "\"started\": \"\", \"kernel\": \"\", \"microcode\": \"\", \"driver\": \"\", "
            "\"cores\": 1, \"cores_total\": 1, \"l2\": 0, \"l3\": 0, "
            "\"peak_gops\": 1, \"bandwidth_gbs\": 1, \"tiles\": false, \"overhead_us\": 1, "
            "\"ceilings\": [], \"calibrations\": [{\"shape\": [8, 8, 8], \"known\": %s, "
            "\"samples\": [{\"start\": 2, \"reps\": 3, \"alone\": %s, \"other\": 0, \"yardstick\": "
            "%s, "
            "\"unit\": %s, \"cores\": null, \"busiest\": null, \"end_to_end\": 0, "
            "\"device\": 0}]}]}",
            table[i].known, table[i].alone, table[i].yardstick, table[i].unit);
        struct node_record *n, *again;
        struct err e = ERR_INIT;
        assert_int_equal(fs_write_atomic(file, text, strlen(text), NULL), 0);
        free(text);
        const int rc = node_record_load(file, &n, &e);
        if (table[i].says) {
            if (rc == 0 || !strstr(e.text, table[i].says))
                fail_msg("row %zu said '%s'", i, e.text);
            continue;
        }
        if (rc != 0)
            fail_msg("row %zu said '%s'", i, e.text);
        unlink(file);
        assert_int_equal(node_record_publish(n, file, NULL), 0);
        assert_int_equal(node_record_load(file, &again, NULL), 0);
        for (int k = 0; k < 2; k++) {
            const struct calibration *c = &(k ? again : n)->calibrations[0];
            const struct sample *x = c->samples;
            const bool timed = strcmp(table[i].known, "null") != 0;
            assert_int_equal(c->samples_count, 1);
            assert_true(x->start == 2 && x->reps == 3);
            if (timed
                    ? c->known != 0.5 || x->alone != 1.25 || x->yardstick != 1.5 || x->unit != 2
                    : !isnan(c->known) || x->alone != 1 || !isnan(x->yardstick) || !isnan(x->unit))
                fail_msg("row %zu, %d: %g %g %g %g", i, k, c->known, x->alone, x->yardstick,
                         x->unit);
        }
        node_record_free(n);
        node_record_free(again);
    }
}

/* Whether there are tiles must be said. */
TEST(tiles_of_a_node)
{
    static const struct {
        const char *says;
        bool fine, tiles;
    } table[] = {
        {"\"tiles\": 1,", false, false},    {"\"tiles\": null,", false, false}, {"", false, false},
        {"\"tiles\": false,", true, false}, {"\"tiles\": true,", true, true},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char *text = xasprintf("{\"host\": \"n\", \"yardstick\": \"\", \"model\": \"\", "
                               "\"device\": false, \"started\": \"\", \"kernel\": \"\", "
                               "\"microcode\": \"\", \"driver\": \"\", \"cores\": 1, "
                               "\"cores_total\": 1, \"l2\": 0, \"l3\": 0, "
                               "\"peak_gops\": 1, %s \"bandwidth_gbs\": 1, "
                               "\"overhead_us\": 1, \"ceilings\": [], \"calibrations\": []}",
                               table[i].says);
        struct node_record *n, *again;
        struct err e = ERR_INIT;
        assert_int_equal(fs_write_atomic(file, text, strlen(text), NULL), 0);
        free(text);
        int rc = node_record_load(file, &n, &e);
        if ((rc == 0) != table[i].fine)
            fail_msg("%s: %d %s", table[i].says, rc, e.text);
        if (rc != 0) {
            assert_non_null(strstr(e.text, "'tiles'"));
            continue;
        }
        unlink(file);
        assert_int_equal(node_record_publish(n, file, NULL), 0);
        assert_int_equal(node_record_load(file, &again, NULL), 0);
        assert_int_equal(n->tiles, table[i].tiles);
        assert_int_equal(again->tiles, table[i].tiles);
        node_record_free(n);
        node_record_free(again);
    }
}

/* Flipped bits: refused or read, but never a crash. */
TEST(flipped)
{
    publish();
    OWNED char *data = NULL;
    size_t n, refused = 0;
    assert_int_equal(fs_read(file, 1 << 20, &data, &n, NULL), 0);
    for (uint64_t i = 0; i < 500; i++) {
        size_t at = rng_at(1, i) % n;
        char old = data[at];
        data[at] = (char)(data[at] ^ (1 << (rng_at(2, i) % 8)));
        assert_int_equal(fs_write_atomic(file, data, n, NULL), 0);
        struct unit_result *r;
        if (unit_result_load(file, &r, NULL) != 0)
            refused++;
        else
            unit_result_free(r);
        data[at] = old;
    }
    assert_true(refused > 100);
}

TEST(wrong_fields)
{
    static const struct {
        const char *text, *says;
    } table[] = {
        {"[]", "not a JSON object"},
        {"{}", "field 'unit'"},
        {"{\"unit\":\"a\",\"verdict\":\"great\"}", "field 'verdict' is not a verdict"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct unit_result *r;
        struct err e = ERR_INIT;
        assert_int_equal(fs_write_atomic(file, table[i].text, strlen(table[i].text), NULL), 0);
        assert_int_equal(unit_result_load(file, &r, &e), -1);
        if (!strstr(e.text, table[i].says))
            fail_msg("said '%s'", e.text);
    }
}

static int load_result(struct err *e)
{
    struct unit_result *r;
    return unit_result_load(file, &r, e);
}

static int load_node(struct err *e)
{
    struct node_record *n;
    return node_record_load(file, &n, e);
}

/* Lists of so many members that there is no memory for them: the first wrong one ends the reading.
 */
TEST(long_lists)
{
#ifdef __SANITIZE_ADDRESS__
    skip(); /* it needs an address space without a limit */
#endif
    static const char node[] = "tests/fuzz/corpus/node/one";
    const struct {
        const char *path;
        int (*load)(struct err *e);
        const char *from, *before, *after; /* the members */
    } table[] = {
        {file, load_result, "\"cases\": [", "\"cases\": [", ","},
        {file, load_result, "\"samples\": [", "\"samples\": [", ","},
        {file, load_result, "\"profile\": null", "\"profile\": {\"shape\": [8, 8, 8], \"rows\": [",
         "]}"},
        {node, load_node, "\"ceilings\": [", "\"ceilings\": [", ","},
        {node, load_node, "\"calibrations\": [", "\"calibrations\": [", ","},
    };
    enum { MEMBERS = 3000000 };
    struct rlimit least, before;
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    least = before;
    least.rlim_cur = 512 << 20;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct err e = ERR_INIT;
        struct strbuf edited = STRBUF_INIT;
        char *data;
        publish();
        assert_int_equal(fs_read(table[i].path, 1 << 20, &data, NULL, NULL), 0);
        char *at = strstr(data, table[i].from);
        assert_non_null(at);
        strbuf_add(&edited, data, (size_t)(at - data));
        strbuf_adds(&edited, table[i].before);
        for (int k = 0; k < MEMBERS; k++)
            strbuf_adds(&edited, k ? ",0" : "0");
        strbuf_adds(&edited, table[i].after);
        strbuf_adds(&edited, at + strlen(table[i].from));
        assert_int_equal(fs_write_atomic(file, edited.s, edited.len, NULL), 0);
        strbuf_free(&edited);
        free(data);
        assert_int_equal(setrlimit(RLIMIT_AS, &least), 0);
        assert_int_equal(table[i].load(&e), -1);
        assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
        if (!strstr(e.text, "is damaged: field"))
            fail_msg("row %zu said '%s'", i, e.text);
    }
}

/* What is attested is part of a grade's evidence: no field may be left out or be of another kind.
 */
TEST(edited_evidence)
{
    static const struct {
        const char *from, *to, *says;
    } table[] = {
        {"\"attested\": false", "\"attested\": 0", "'attested' is neither true nor false"},
        {"\"attested\": false", "\"attestd\": false", "'attested' is neither true nor false"},
        {"\"evidence\": \"simd: none\"", "\"evidence\": null", "'evidence' is not a string"},
        {"\"start\": 0", "\"start\": 5", "not in the order of their starts"},
        {"\"start\": 3", "\"start\": -1", "'start' is not a whole number"},
        {"\"reps\": 3", "\"reps\": 0", "'reps' is not a whole number"},
        {"\"unit\": 0.25", "\"unit\": 0", "holds a time that is not positive"},
        {"\"unit\": 0.25", "\"unit\": null", "holds a time that is not positive"},
        {"\"unit\": 0.25", "\"unit\": -0.25", "holds a time that is not positive"},
        {"\"yardstick\": 0.5", "\"yardstick\": null", "holds a time that is not positive"},
        {"\"yardstick\": 0.5", "\"yardstick\": \"0.5\"", "'yardstick' is not a number"},
        {"\"alone\": 0.3", "\"alone\": -0.3", "holds a time that is not positive"},
        {"\"alone\": 0.3", "\"alone\": null, \"x\": 0.3", "holds a time that is not positive"},
        {"\"busiest\": 0.75", "\"busy\": 0.75", "'busiest' is not a number"},
        {"\"samples\": [", "\"blocks\": [", "'samples' is not a list"},
        {"\"bytes\": 4096", "\"bytes\": -1", "'bytes' is not a whole number"},
        {"\"shared\": true", "\"shared\": 1", "'shared' is neither"},
        {"\"by_rank\": []", "\"by_rank\": {}", "'by_rank' is not a list"},
        {"\"ranks\": 1,\n   \"threads\": 2", "\"ranks\": 65536,\n   \"threads\": 65536",
         "'threads' is not a whole number"},
        {"\"ranks\": 1,\n  \"threads\": 3", "\"ranks\": 3,\n  \"threads\": 2147483647",
         "'threads' is not a whole number"},
        {"\"nodes\": 2", "\"nodes\": 1", "'nodes' is not a whole number"},
        {"\"nodes\": 2", "\"nodes\": 15", "'nodes' is not a whole number"},
        {"\"nodes\": 2", "\"nodes\": 3", "'nodes' does not divide the ranks"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct unit_result *r;
        struct err e = ERR_INIT;
        OWNED char *data = NULL;
        size_t n;
        publish();
        assert_int_equal(fs_read(file, 1 << 20, &data, &n, NULL), 0);
        char *at = strstr(data, table[i].from);
        assert_non_null(at);
        OWNED char *edited =
            xasprintf("%.*s%s%s", (int)(at - data), data, table[i].to, at + strlen(table[i].from));
        assert_int_equal(fs_write_atomic(file, edited, strlen(edited), NULL), 0);
        assert_int_equal(unit_result_load(file, &r, &e), -1);
        if (!strstr(e.text, table[i].says))
            fail_msg("row %zu said '%s'", i, e.text);
    }
}

/* What the fuzzers start from must be what the reader takes, or they do not get far. */
TEST(seeds_of_fuzzing)
{
    static const char *const names[] = {"pass", "wrong", "no-cases"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        OWNED char *path = xasprintf("tests/fuzz/corpus/result/%s", names[i]);
        struct unit_result *r;
        struct err e = ERR_INIT;
        if (unit_result_load(path, &r, &e) != 0)
            fail_msg("%s", e.text);
        unit_result_free(r);
    }
    struct node_record *n;
    struct err e = ERR_INIT;
    if (node_record_load("tests/fuzz/corpus/node/one", &n, &e) != 0)
        fail_msg("%s", e.text);
    node_record_free(n);
}

TEST(where_it_was_computed)
{
    static const struct {
        char device[16];
        enum computes computes;
    } table[] = {{"", ON_CORES}, {"a GPU", ON_DEVICE}, {DEVICE_FELL_BACK, FELL_BACK}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char device[16];
        memcpy(device, table[i].device, sizeof device);
        const struct unit_result r = {.device = device};
        assert_int_equal(unit_result_computes(&r), table[i].computes);
    }
    assert_string_equal(DEVICE_FELL_BACK, "host"); /* as in the files of older runs */
}

TESTS(setup, teardown)
