#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/csv.h"
#include "base/fsio.h"
#include "base/strbuf.h"

#include "test_dir.h"

TEST_FILE("t.csv")

static void put(const char *text, size_t n)
{
    assert_int_equal(fs_write_atomic(file, text, n, NULL), 0);
}

TEST(refused)
{
    static const struct {
        const char *text;
        size_t n;
        const char *says;
    } table[] = {
        {"", 0, "empty"},
        {"\n\n", 2, "empty"},
        {"a,b\n1,2,3\n", 10, ":2:"},
        {"a,b\n1,2\n\n1,2,3\n", 15, ":4:"},
        {"a,b\n\"1,2\n", 9, "quote"},
        {"a,b\n1\0,2\n", 9, "NUL"},
        {"a,b\n1,2 \"x\"\n", 12, ":2: a quotation mark"},
        {"a,b\n1,\"x\" y\n", 12, ":2: a quotation mark"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct csv_table t;
        struct err e = ERR_INIT;
        put(table[i].text, table[i].n);
        if (csv_read(file, &t, &e) == 0)
            fail_msg("case %zu was accepted", i);
        if (!strstr(e.text, table[i].says))
            fail_msg("case %zu says '%s'", i, e.text);
    }
    struct csv_table t;
    assert_int_equal(csv_read("/nowhere/x.csv", &t, NULL), -1);
}

TEST(delimiters)
{
    static const struct {
        const char *header;
        char is;
    } table[] = {
        {"", ','},
        {"id\n", ','},
        {"id,name,x;y\n", ','},
        {"id;name\n1,5;2,5\n", ';'},
        {"id;name;Sheet 1, product\n", ';'},
        {"id\tname\tSheet 1, a; b\n", '\t'},
        {"id,\"a;b;c\"\n", ','},
        {"a,b;c\n", ','},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (csv_delimiter(table[i].header, strlen(table[i].header)) != table[i].is)
            fail_msg("%s", table[i].header);
}

TEST(dialects)
{
    static const char *const same[] = {
        "id,name\n1,Ann\n2,\"Bo, \"\"B\"\"\"\n",
        "\xef\xbb\xbfid,name\r\n1,Ann\r\n\r\n2,\"Bo, \"\"B\"\"\"\r\n",
        "id,name\n1,Ann\n2,\"Bo, \"\"B\"\"\"",
    };
    for (size_t i = 0; i < 3; i++) {
        FREED_BY(csv_table_free) struct csv_table t = {0};
        struct err e = ERR_INIT;
        put(same[i], strlen(same[i]));
        if (csv_read(file, &t, &e) != 0)
            fail_msg("dialect %zu: %s", i, e.text);
        assert_int_equal(t.count, 3);
        assert_int_equal(csv_column(&t, "NAME"), 1);
        assert_int_equal(csv_column(&t, "none"), -1);
        assert_string_equal(t.row[2].field[1], "Bo, \"B\"");
    }
}

TEST(lines_and_padding)
{
    const char text[] = "a,b\n\"x\ny\",2\n3\n";
    FREED_BY(csv_table_free) struct csv_table t = {0};
    put(text, strlen(text));
    assert_int_equal(csv_read(file, &t, NULL), 0);
    assert_string_equal(t.row[1].field[0], "x\ny");
    assert_int_equal(t.row[1].line, 2);
    assert_int_equal(t.row[2].line, 4);
    assert_int_equal(t.row[2].count, 2);
    assert_string_equal(t.row[2].field[1], "");
}

TEST(round_trip)
{
    static const char *const nasty[] = {"plain", "", "a,b", "say \"hi\"", "two\nlines", "\xc3\xa9"};
    struct csv_out *o = csv_out_new();
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(csv_out_column(o, nasty[i]), i);
    csv_out_int(o, 2, -7); /* in any order */
    csv_out_num(o, 0, 0.1, 3);
    csv_out_num(o, 1, NAN, 3);
    csv_out_str(o, 3, "=1+1");
    csv_out_str(o, 5, "a,b");
    csv_out_str(o, 4, "");
    csv_out_end_row(o);
    assert_int_equal(csv_out_close(o, file, NULL), 0);
    FREED_BY(csv_table_free) struct csv_table t = {0};
    assert_int_equal(csv_read(file, &t, NULL), 0);
    for (size_t i = 0; i < 6; i++)
        assert_string_equal(t.row[0].field[i], nasty[i]);
    assert_string_equal(t.row[1].field[0], "0.1");
    assert_string_equal(t.row[1].field[1], "");
    assert_string_equal(t.row[1].field[2], "-7");
    assert_string_equal(t.row[1].field[3], "'=1+1"); /* no formula for a spreadsheet to run */
    assert_string_equal(t.row[1].field[4], "");
    assert_string_equal(t.row[1].field[5], "a,b");
}

TEST(no_rows)
{
    struct csv_out *o = csv_out_new();
    csv_out_column(o, "a");
    csv_out_column(o, "b");
    put("a,b\r\n1,2\r\n", 10); /* of an earlier report */
    assert_int_equal(csv_out_close(o, file, NULL), 0);
    assert_false(fs_exists(file));
    o = csv_out_new();
    assert_int_equal(csv_out_close(o, file, NULL), 0); /* nothing to remove */
    o = csv_out_new();
    struct err e = ERR_INIT;
    assert_int_equal(csv_out_close(o, test_dir, &e), -1);
    assert_non_null(strstr(e.text, test_dir));
}

TEST(decimals)
{
    static const struct {
        double value;
        int decimals;
        const char *text;
    } table[] = {
        {NAN, 2, ""},          {INFINITY, 2, ""},       {0, 2, "0"},
        {-0.001, 2, "0"},      {10, 2, "10"},           {100, 0, "100"},
        {7.5, 2, "7.5"},       {0.999, 2, "1"},         {10.0 / 3, 2, "3.33"},
        {20.0 / 3, 2, "6.67"}, {1234567, 2, "1234567"}, {-2.5, 2, "-2.5"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct csv_out *o = csv_out_new();
        FREED_BY(csv_table_free) struct csv_table t = {0};
        csv_out_column(o, "a");
        csv_out_column(o, "b");
        csv_out_decimal(o, 0, table[i].value, table[i].decimals);
        csv_out_int(o, 1, 1);
        csv_out_end_row(o);
        assert_int_equal(csv_out_close(o, file, NULL), 0);
        assert_int_equal(csv_read(file, &t, NULL), 0);
        assert_string_equal(t.row[1].field[0], table[i].text);
    }
}

/* Every column is written once in every row: the program aborts when one is not. */
TEST(columns_are_written_once)
{
    static const struct {
        const char *written; /* columns of the table a, b, c; '/' ends a row, '+' adds a column */
        bool aborts;
    } table[] = {{"012/", false},     {"210/102/", false}, {"", false},     {"01/", true},
                 {"12/", true},       {"/", true},         {"0120/", true}, {"001/", true},
                 {"012/0112/", true}, {"0123/", true},     {"012/0", true}, {"012/+", true},
                 {"+0123/", false}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        pid_t child = fork();
        if (child == 0) {
            struct csv_out *o = csv_out_new();
            fclose(stderr); /* the message of the abort */
            for (const char *name = "a\0b\0c\0"; *name; name += 2)
                csv_out_column(o, name);
            for (const char *p = table[i].written; *p; p++) {
                if (*p == '/')
                    csv_out_end_row(o);
                else if (*p == '+')
                    csv_out_column(o, "d");
                else
                    csv_out_int(o, (size_t)(*p - '0'), 1);
            }
            _exit(csv_out_close(o, file, NULL) == 0 ? 0 : 1);
        }
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        if (table[i].aborts ? !WIFSIGNALED(status) || WTERMSIG(status) != SIGABRT : status != 0)
            fail_msg("'%s': status %#x", table[i].written, (unsigned)status);
    }
}

TEST(many_rows)
{
    FREED_BY(strbuf_free) struct strbuf sb = STRBUF_INIT;
    strbuf_adds(&sb, "id,name\n");
    for (int i = 0; i < 100000; i++)
        strbuf_addf(&sb, "%d,\"n %d\"\n", i, i);
    put(sb.s, sb.len);
    FREED_BY(csv_table_free) struct csv_table t = {0};
    assert_int_equal(csv_read(file, &t, NULL), 0);
    assert_int_equal(t.count, 100001);
    assert_string_equal(t.row[100000].field[1], "n 99999");
    assert_int_equal(t.row[100000].line, 100001);
}

TESTS(setup, teardown)
