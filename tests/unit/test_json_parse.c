/* JSON that is read fast is what Jansson reads: the same values, or none. */
#include "unit.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_parse.h"
#include "base/strbuf.h"

/* The value as text; NULL: none. */
static char *shown(json_t *v)
{
    char *text = v ? json_dumps(v, JSON_REAL_PRECISION(17)) : NULL;
    json_decref(v);
    return text;
}

/* Is the text taken? If it is, the value is Jansson's; it is left as it was. */
static bool taken(const char *text, size_t len)
{
    OWNED char *copy = xcalloc(len + 1, 1);
    memcpy(copy, text, len);
    OWNED char *here = shown(json_parse(copy, len)), *there = shown(json_loadb(text, len, 0, NULL));
    assert_memory_equal(copy, text, len);
    if (here && (!there || strcmp(here, there) != 0))
        fail_msg("'%s': '%s' for '%s'", text, here, there ? there : "nothing");
    return here;
}

TEST(texts)
{
    static const struct {
        const char *text;
        bool taken;
    } table[] = {
        {"{}", true},
        {"[]", true},
        {" {\"a\" : [ 1 , -2, 0 ] ,\n\t\"b\":{\"\":null}}\r\n", true},
        {"[true, false, null]", true},
        {"[0.1, -1.5e-7, 2E+3, 1e5, 123456789012345678, -0, -0.0]", true},
        {"[5.0000000000000001e-324, 1.7976931348623157e308, 1e-400]", true},
        {"[\"\xc3\xa9\", \"\\\"\\\\\\/\\b\\f\\n\\r\\t\", \"\"]", true},
        {"{\"\xc3\xa9\": 1}", true},
        /* Left to Jansson, which takes these. */
        {"[1234567890123456789]", false},
        {"[\"\\u0041\"]", false},
        {"{\"a\\n\": 1}", false},
        {"{\"a\": 1, \"b\": 2, \"a\": 3}", false},
        /* No JSON. */
        {"", false},
        {"1", false},
        {"\"a\"", false},
        {"[", false},
        {"[1", false},
        {"[1,", false},
        {"[1,]", false},
        {"[,1]", false},
        {"[1 2]", false},
        {"[1]]", false},
        {"[1}", false},
        {"{\"a\"}", false},
        {"{\"a\":}", false},
        {"{\"a\" 1}", false},
        {"{\"a\":1,}", false},
        {"{a:1}", false},
        {"{1:1}", false},
        {"{\"a", false},
        {"[01]", false},
        {"[-]", false},
        {"[+1]", false},
        {"[.5]", false},
        {"[1.]", false},
        {"[1e]", false},
        {"[1e+]", false},
        {"[1e400]", false},
        {"[0x1]", false},
        {"[inf]", false},
        {"[nan]", false},
        {"[truefalse]", false},
        {"[tru]", false},
        {"[\"\\q\"]", false},
        {"[\"\\", false},
        {"[\"a\nb\"]", false},
        {"[\"\xff\"]", false},
        {"{\"\xff\": 1}", false},
        {"[1] x", false},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (taken(table[i].text, strlen(table[i].text)) != table[i].taken)
            fail_msg("'%s'", table[i].text);
    assert_false(taken("[1]\0", 4));
    assert_false(taken("[\"\0\"]", 5));
}

TEST(depths)
{
    for (int depth = 90; depth < 110; depth++) {
        char text[256] = "";
        memset(text, '[', (size_t)depth);
        memset(text + depth, ']', (size_t)depth);
        assert_int_equal(taken(text, strlen(text)), depth <= 100);
    }
}

/* A text in which a few bytes were exchanged. */
TEST(damaged_texts)
{
    static const char text[] =
        "{\"unit\": \"a.b\", \"list\": [{\"start\": 0, \"alone\": 3.197290277777778e-05, \"on\": "
        "true, \"off\": false, \"none\": null}, {\"start\": -12, \"text\": \"a\\n\\\"b\\\"\"}]}";
    static const char bytes[] = "{}[]\",:\\ 0123456789.-+eEtfnu\n\x01\x80\xc3";
    unsigned seed = 1, whole = 0;
    for (int turn = 0; turn < 20000; turn++) {
        char damaged[sizeof text];
        memcpy(damaged, text, sizeof text);
        for (int k = turn % 3; k >= 0; k--) {
            seed = seed * 1103515245 + 12345;
            damaged[(seed >> 8) % (sizeof text - 1)] = bytes[(seed >> 20) % (sizeof bytes - 1)];
        }
        whole += taken(damaged, sizeof text - 1);
    }
    assert_true(whole > 1000);
}

TESTS(NULL, NULL)
