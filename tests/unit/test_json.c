/* JSON files: errors name the file and the field, and what is written is read again. */
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fsio.h"
#include "base/json.h"
#include "base/json_pool.h"
#include "base/strbuf.h"

#include "test_dir.h"

TEST_FILE("a.json")

TEST(bad_files)
{
    static const struct {
        const char *text, *error;
    } table[] = {
        {"", "(line 1)"},
        {"{", "(line 1)"},
        {"{\n\"a\": 1,,}", "(line 2)"},
        {"{\"a\": \"\xff\"}", "(line 1)"},
        {"[]", "not a JSON object"},
        {"[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]", "is larger than"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        for (int k = ERR_INPUT; k <= ERR_SYSTEM; k++) {
            struct err e = ERR_INIT;
            struct json_reader rd = {file, (enum err_kind)k, &e, false};
            assert_int_equal(fs_write_atomic(file, table[i].text, strlen(table[i].text), NULL), 0);
            assert_null(json_read_file(&rd, 40));
            assert_true(rd.failed);
            if (!strstr(e.text, file) || !strstr(e.text, table[i].error))
                fail_msg("'%s': %s", table[i].text, e.text);
            if (i < 5) /* fs_read() says of what kind its errors are */
                assert_int_equal(e.kind, k);
        }
    }
    struct json_reader silent = {.path = "/nonexistent"};
    assert_null(json_read_file(&silent, 40));
    assert_true(silent.failed);
}

TEST(bad_fields)
{
    enum type { TEXT, INT, NUMBER, BOOL, LIST };
    static const struct {
        enum type type;
        const char *json; /* the value of the field; NULL: there is none */
    } table[] = {
        {TEXT, NULL},   {TEXT, "null"}, {TEXT, "1"},    {INT, NULL},    {INT, "2.0"},
        {INT, "\"2\""}, {INT, "-1"},    {INT, "8"},     {NUMBER, NULL}, {NUMBER, "\"2\""},
        {BOOL, NULL},   {BOOL, "0"},    {BOOL, "null"}, {LIST, NULL},   {LIST, "{}"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct err e = ERR_INIT;
        struct json_reader rd = {file, ERR_SYSTEM, &e, false};
        json_auto_t *o = json_object();
        if (table[i].json)
            json_object_set_new(o, "key", json_loads(table[i].json, JSON_DECODE_ANY, NULL));
        char *text;
        switch (table[i].type) {
        case TEXT:
            text = json_read_text(&rd, o, "key");
            assert_string_equal(text, "");
            free(text);
            break;
        case INT:
            assert_int_equal(json_read_int(&rd, o, "key", 1, 7), 1);
            break;
        case NUMBER:
            assert_true(isnan(json_read_number(&rd, o, "key")));
            break;
        case BOOL:
            assert_false(json_read_bool(&rd, o, "key"));
            break;
        case LIST:
            assert_int_equal(json_array_size(json_read_list(&rd, o, "key")), 0);
            break;
        }
        if (!rd.failed || !strstr(e.text, "field 'key'") || !strstr(e.text, file))
            fail_msg("row %zu: %s", i, e.text);
        /* The first error stays. */
        json_bad_field(&rd, "other", "is wrong");
        assert_null(strstr(e.text, "other"));
    }
    struct err e = ERR_INIT;
    struct json_reader rd = {file, ERR_SYSTEM, &e, false};
    assert_int_equal(json_read_int(&rd, NULL, "key", -3, 7), 0);
    assert_true(rd.failed);
}

TEST(round_trip)
{
    struct err e = ERR_INIT;
    struct json_reader rd = {file, ERR_SYSTEM, &e, false};
    json_auto_t *o = json_object();
    json_object_set_new(o, "text", json_printable("caf\xc3\xa9 \x1b[31m"));
    json_object_set_new(o, "bytes", json_printable("caf\xe9"));
    json_object_set_new(o, "none", json_printable(NULL));
    json_object_set_new(o, "third", json_number_or_null(1.0 / 3));
    json_object_set_new(o, "infinite", json_number_or_null(INFINITY));
    assert_int_equal(json_write_file(file, json_incref(o), &e), 0);
    assert_int_equal(json_publish_file(file, o, &e), 1); /* the first writer wins */
    o = json_read_file(&rd, 1000);
    OWNED char *text = json_read_text(&rd, o, "text"), *bytes = json_read_text(&rd, o, "bytes");
    char few[6];
    json_read_text_into(&rd, o, "text", few, sizeof few);
    assert_null(strchr(text, '\x1b'));
    assert_memory_equal(text, "caf\xc3\xa9 ", 6);
    assert_string_equal(bytes, "caf?");
    assert_string_equal(few, "caf\xc3\xa9");
    assert_true(json_read_number(&rd, o, "third") == 1.0 / 3);
    assert_true(isnan(json_read_number(&rd, o, "infinite")));
    assert_false(rd.failed);
    assert_int_equal(json_write_file(file, NULL, &e), -1); /* as json_pack() gives it */
}

TEST(printed)
{
    static const struct {
        double number;
        const char *text;
    } table[] = {{1, "{\n \"x\": 1.0\n}\n"}, {1.0 / 3, "{\n \"x\": 0.333333333\n}\n"}};
    struct err e = ERR_INIT;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        OWNED char *text = NULL;
        size_t len = 0;
        FILE *f = open_memstream(&text, &len);
        assert_int_equal(json_print(f, json_pack("{s:f}", "x", table[i].number), &e), 0);
        fclose(f);
        assert_string_equal(text, table[i].text);
    }
    assert_int_equal(json_print(stdout, NULL, &e), -1);
    assert_string_equal(e.text, "the JSON output cannot be written");
}

/* More than one block of values, and one that is larger than a block. */
TEST(pool)
{
    enum { LARGE = 1 << 20, MANY = 20000 };
    OWNED char *text = xcalloc(LARGE + 1, 1);
    memset(text, 'x', LARGE);
    for (int round = 0; round < 2; round++) {
        json_t *before = json_pack("{s:[i, f]}", "a", 1, 2.5);
        json_pool_begin();
        json_t *list = json_array(), *large = json_string(text);
        for (int i = 0; i < MANY; i++)
            json_array_append_new(list, json_pack("{s:i}", "n", i));
        for (int i = 0; i < MANY; i++)
            assert_int_equal(
                json_integer_value(json_object_get(json_array_get(list, (size_t)i), "n")), i);
        assert_string_equal(json_string_value(large), text);
        json_decref(before);
        json_decref(large);
        json_pool_end(); /* frees the list */
    }
    json_auto_t *after = json_string("kept");
    json_pool_begin();
    json_pool_end();
    assert_string_equal(json_string_value(after), "kept");
}

TESTS(setup, teardown)
