#include "unit.h"

#include <string.h>

#include "base/line_reader.h"
#include "test_dir.h"

/* Write a file whose text may have zero bytes. */
static char *put(const char *text, size_t bytes)
{
    char *path = at("text");
    assert_int_equal(fs_write_atomic(path, text, bytes, NULL), 0);
    return path;
}

TEST(refused)
{
    static const struct {
        const char *text;
        size_t bytes;
        const char *says;
    } table[] = {
        {"\x1f\x8b\x08", 3, ":1: the file is compressed (gzip); unpack it first"},
        {"BZh9", 4, "bzip2"},
        {"\xfd\x37zXZ\0", 6, "xz"},
        {"PK\x03\x04", 4, "zip"},
        {"\xef\xbb\xbfone\n", 7, ":1: the file is UTF-8 with a byte order mark"},
        {"\xff\xfeo\0n\0", 6, "UTF-16"},
        {"\xfe\xff\0o\0n", 6, "UTF-16"},
        {"\0", 1, ":1: the line has a zero byte"},
        {"one\ntwo\nthr\0ee\n", 15, ":3: the line has a zero byte"},
        {"one\nlast\0", 9, ":2: the line has a zero byte"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct line_reader l;
        struct err e = ERR_INIT;
        OWNED char *path = put(table[i].text, table[i].bytes);
        int rc = line_reader_open(&l, path, &e);
        while (rc >= 0 && (rc = line_reader_next(&l)) == 1)
            ;
        if (rc != -1 || !strstr(e.text, table[i].says) || !strstr(e.text, path))
            fail_msg("row %zu: %d, '%s'", i, rc, e.text);
        assert_int_equal(e.kind, ERR_INPUT);
        line_reader_close(&l);
    }
}

TEST(no_file)
{
    struct line_reader l;
    struct err e = ERR_INIT;
    OWNED char *path = at("nowhere");
    assert_int_equal(line_reader_open(&l, path, &e), -1);
    assert_non_null(strstr(e.text, "nowhere: No such file"));
    line_reader_close(&l);
    assert_int_equal(line_reader_open(&l, test_dir, &e), -1);
    assert_non_null(strstr(e.text, "is not a regular file"));
    line_reader_close(&l);
}

TEST(lines)
{
    static const struct {
        const char *text;
        const char *lines; /* with a | behind each */
    } table[] = {
        {"", ""},
        {"\n", "|"},
        {"one", "one|"},
        {"one\n", "one|"},
        {"one\r\ntwo\r\n", "one|two|"},
        {"one\r", "one|"},
        {"\r\n\r\n", "||"},
        {"a\rb\n", "a\rb|"},
        {"\xc3\xa4\n\n x \n", "\xc3\xa4|| x |"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct line_reader l;
        struct err e = ERR_INIT;
        FREED_BY(strbuf_free) struct strbuf all = STRBUF_INIT;
        OWNED char *path = put(table[i].text, strlen(table[i].text));
        assert_int_equal(line_reader_open(&l, path, &e), 0);
        assert_int_equal(l.bytes, strlen(table[i].text));
        long long count = 0;
        while (line_reader_next(&l) == 1) {
            strbuf_addf(&all, "%s|", l.text);
            assert_int_equal(l.number, ++count);
        }
        assert_string_equal(e.text, "");
        assert_string_equal(all.s, table[i].lines);
        assert_int_equal(l.read, l.bytes);
        line_reader_close(&l);
    }
}

/* A line may be longer than any buffer. */
TEST(long_line)
{
    enum { LONG = 300000 };
    OWNED char *text = xcalloc(LONG + 3, 1), *path = NULL;
    memset(text, 'x', LONG);
    text[LONG] = '\n';
    text[LONG + 1] = 'y';
    path = put(text, LONG + 2);
    struct line_reader l;
    assert_int_equal(line_reader_open(&l, path, NULL), 0);
    assert_int_equal(line_reader_next(&l), 1);
    assert_int_equal(strlen(l.text), LONG);
    assert_int_equal(line_reader_next(&l), 1);
    assert_string_equal(l.text, "y");
    line_reader_close(&l);
}

/* An error names file and line; what it quotes cannot control a terminal. */
TEST(messages)
{
    struct line_reader l;
    struct err e = ERR_INIT;
    OWNED char *path = put("one\n\x1b[2J\n", 9);
    OWNED char *wanted = xasprintf("%s:2: ' [2J' is wrong", path);
    assert_int_equal(line_reader_open(&l, path, &e), 0);
    assert_int_equal(line_reader_next(&l), 1);
    assert_int_equal(line_reader_next(&l), 1);
    assert_int_equal(line_reader_wrong(&l, "'%s' is wrong", l.text), -1);
    assert_string_equal(e.text, wanted);
    line_reader_close(&l);
}

TESTS(test_dir_make, test_dir_remove)
