/* Gradebooks of other programs: one field changes, every other byte stays. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>

#include "export/gradebook.h"
#include "export/match.h"

#include "test_dir.h"

static char *file;

static int setup(void **arg)
{
    if (test_dir_make(arg) != 0)
        return -1;
    file = at("book.csv");
    return 0;
}

static int teardown(void **arg)
{
    free(file);
    return test_dir_remove(arg);
}

struct bytes {
    const char *s;
    size_t n;
};
#define BYTES(s)                                                                                   \
    {                                                                                              \
        (s), sizeof(s) - 1                                                                         \
    }

static void put(struct bytes b)
{
    assert_int_equal(fs_write_atomic(file, b.s, b.n, NULL), 0);
}

static void refused(void **arg)
{
    (void)arg;
    static const struct {
        struct bytes text;
        const char *says;
    } table[] = {
        {BYTES(""), "book.csv: the file is empty"},
        {BYTES("\xef\xbb\xbf"), "the file is empty"},
        {BYTES("\r\n\n\r"), "the file is empty"},
        {BYTES("ID,Grade\n1,\"2\n3,4\n"), "book.csv:2: a quoted field is not closed"},
        {BYTES("ID\n\n\"\n\n\n"), "book.csv:3: a quoted field is not closed"},
        {BYTES("\""), "book.csv:1: a quoted field is not closed"},
        {BYTES("I\0D\0\n\0"), "zero byte"},
        {BYTES("\xff\xfeI\0D"), "damaged"},
        {BYTES("\xff\xfe\x00\xd8I\0"), "damaged"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct gradebook g;
        struct err e = ERR_INIT;
        put(table[i].text);
        if (gradebook_read(file, &g, &e) == 0)
            fail_msg("row %zu was taken", i);
        assert_int_equal(e.kind, ERR_INPUT);
        if (!strstr(e.text, table[i].says))
            fail_msg("row %zu: %s", i, e.text);
    }
}

/* Fill the field of row 1 (the one behind the header) and column 1, and write. */
static void filled(void **arg)
{
    (void)arg;
    static const struct {
        struct bytes before, after;
    } table[] = {
        {BYTES("ID,Grade\n1,\n"), BYTES("ID,Grade\n1,9.5\n")},
        {BYTES("ID,Grade\n1,7"), BYTES("ID,Grade\n1,9.5")},
        {BYTES("ID,Grade,Note\r\n1,7,x\r\n2,8,y\r\n"),
         BYTES("ID,Grade,Note\r\n1,9.5,x\r\n2,8,y\r\n")},
        {BYTES("ID,Grade\r1,7\r2,8\r"), BYTES("ID,Grade\r1,9.5\r2,8\r")},
        {BYTES("\xef\xbb\xbf\"ID\",\"Grade\"\r\n\"1\",\"\"\r\n"),
         BYTES("\xef\xbb\xbf\"ID\",\"Grade\"\r\n\"1\",\"9.5\"\r\n")},
        {BYTES("ID;Grade\n1;7;x\n"), BYTES("ID;Grade\n1;9.5;x\n")},
        {BYTES("ID\tGrade\n1\t7\n"), BYTES("ID\tGrade\n1\t9.5\n")},
        /* Odd things that other programs write stay. */
        {BYTES("\n\nID, Grade \n\n\"J, \"\"A\"\"\nx\" , 7 ,a\"b\n\n"),
         BYTES("\n\nID, Grade \n\n\"J, \"\"A\"\"\nx\" ,9.5,a\"b\n\n")},
        {BYTES("Name,Grade\nM\xfcller,7,\xe9\n"), BYTES("Name,Grade\nM\xfcller,9.5,\xe9\n")},
        /* A row without its empty fields. */
        {BYTES("ID,Grade,Note\n1\n2,8,\n"), BYTES("ID,Grade,Note\n1,9.5\n2,8,\n")},
        {BYTES("\xff\xfeI\0,\0G\0\r\0\n\0\xfc\0,\0\x31\0\r\0\n\0"),
         BYTES("\xff\xfeI\0,\0G\0\r\0\n\0\xfc\0,\0\x39\0.\0\x35\0\r\0\n\0")},
        {BYTES("\xfe\xff\0I\0;\0G\0\n\0A\0;\0\n"),
         BYTES("\xfe\xff\0I\0;\0G\0\n\0A\0;\0\x39\0.\0\x35\0\n")},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct gradebook g;
        struct err e = ERR_INIT;
        struct strbuf text = STRBUF_INIT;
        put(table[i].before);
        if (gradebook_read(file, &g, &e) != 0)
            fail_msg("row %zu: %s", i, e.text);
        assert_int_equal(gradebook_text(&g, &text, &e), 0); /* nothing filled: nothing changes */
        assert_int_equal(text.len, table[i].before.n);
        assert_memory_equal(text.s, table[i].before.s, text.len);
        strbuf_clear(&text);
        gradebook_fill(&g, 1, 1, "9.5");
        assert_int_equal(gradebook_text(&g, &text, &e), 0);
        if (text.len != table[i].after.n || memcmp(text.s, table[i].after.s, text.len) != 0)
            fail_msg("row %zu: '%s'", i, text.s);
        strbuf_free(&text);
        gradebook_free(&g);
    }
}

static void quoted_when_needed(void **arg)
{
    (void)arg;
    struct gradebook g;
    struct err e = ERR_INIT;
    struct strbuf text = STRBUF_INIT;
    put((struct bytes)BYTES("ID,Grade,Note\n1,,\n2\n"));
    assert_int_equal(gradebook_read(file, &g, &e), 0);
    gradebook_fill(&g, 1, 1, "9,50");
    gradebook_fill(&g, 1, 2, "a \"b\"");
    gradebook_fill(&g, 2, 2, "late");
    assert_int_equal(gradebook_text(&g, &text, &e), 0);
    assert_string_equal(text.s, "ID,Grade,Note\n1,\"9,50\",\"a \"\"b\"\"\"\n2,,late\n");
    strbuf_free(&text);
    gradebook_free(&g);
}

static void values(void **arg)
{
    (void)arg;
    static const struct {
        const char *field, *value;
    } table[] = {
        {"a", "a"},
        {" a b ", "a b"},
        {"\"a\"", "a"},
        {"\" a \"", "a"},
        {"\"a\"\"b\"", "a\"b"},
        {"\"\"", ""},
        {"\"\"\"\"", "\""},
        {"a\"b", "a\"b"},
        {"\"a,b\"", "a,b"},
        {"\"a\nb\"", "a\nb"},
        {"M\xfcller", "M\xc3\xbcller"},
        {"M\xc3\xbcller", "M\xc3\xbcller"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct gradebook g;
        struct err e = ERR_INIT;
        char *text = xasprintf("A,B\n%s,x\n", table[i].field);
        put((struct bytes){text, strlen(text)});
        assert_int_equal(gradebook_read(file, &g, &e), 0);
        assert_int_equal(g.rows, 2);
        assert_int_equal(g.row[1].fields, 2);
        assert_string_equal(gradebook_value(&g, 1, 0), table[i].value);
        assert_string_equal(gradebook_value(&g, 1, 1), "x");
        assert_string_equal(gradebook_value(&g, 1, 9), "");
        gradebook_free(&g);
        free(text);
    }
}

static void columns(void **arg)
{
    (void)arg;
    static const struct {
        const char *heading;
        int column;
    } table[] = {
        {"x", -1},          {"ID", 0},   {"grade", 1},   {"Prod", 2},
        {"product (7)", 2}, {"Sum", -2}, {"Sum (8)", 3},
    };
    struct gradebook g;
    struct err e = ERR_INIT;
    put((struct bytes)BYTES("ID,\" Grade \",Product (7),Sum (8),Sum (9),Grade max\n"));
    assert_int_equal(gradebook_read(file, &g, &e), 0);
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        assert_int_equal(gradebook_column(&g, table[i].heading), table[i].column);
    gradebook_free(&g);
}

enum { COLUMNS = 3, STUDENTS = 3 };

static void matched(void **arg)
{
    (void)arg;
    static const char *const headings[COLUMNS] = {"moodle_id", "email", "name"};
    static const char *const students[STUDENTS * COLUMNS] = {
        "71",         "Anna@Example.org",
        "Anna Jones", /* 0 */
        "72",         "bob@example.org",
        "Bob Lee", /* 1 */
        "73",         "",
        "Bob Lee", /* 2 */
    };
    static const struct {
        const char *book;
        int gradebook_column, known_column;
        size_t found;
        const char *rows; /* student of each row; '-': none */
    } table[] = {
        {"ID,Grade\n9,\n8,\n", -1, -1, 0, "--"},
        {"ID,Grade\n", -1, -1, 0, ""},
        {"ID,Grade\n,\n", -1, -1, 0, "-"},
        {"Identifier,Full name\nParticipant 72,x\nParticipant 71,y\n", 0, 0, 2, "10"},
        {"ID,Name\nTeilnehmer/in73,Bob Lee\n72,Anna Jones\n", 0, 0, 2, "21"},
        {"Name,E-Mail\nx,ANNA@example.ORG\ny,bob@example.org\n", 1, 1, 2, "01"},
        /* An empty field is no id, and a name that two students have is none. */
        {"Name,E-Mail\nBob Lee,\nAnna Jones,\n", 0, 2, 1, "-0"},
        /* Nor is an id that two rows have. */
        {"ID,Name\n71,Anna Jones\n71,x\n", 1, 2, 1, "0-"},
        /* Names find more students than ids. */
        {"ID,Name\n,Anna Jones\n", 1, 2, 1, "0"},
        /* As many: the earlier of the columns that the run knows. */
        {"Name,ID\nAnna Jones,71\n", 1, 0, 1, "0"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const struct known_students k = {headings, COLUMNS, students, STUDENTS};
        struct gradebook g;
        struct match m;
        struct err e = ERR_INIT;
        put((struct bytes){table[i].book, strlen(table[i].book)});
        assert_int_equal(gradebook_read(file, &g, &e), 0);
        match_students(&g, &k, &m);
        assert_int_equal(m.found, table[i].found);
        assert_int_equal(m.gradebook_column, table[i].gradebook_column);
        assert_int_equal(m.known_column, table[i].known_column);
        for (size_t r = 1; r < g.rows; r++) {
            const char wanted = table[i].rows[r - 1];
            if (m.student_of_row[r] != (wanted == '-' ? -1 : wanted - '0'))
                fail_msg("table row %zu, book row %zu: %lld", i, r, m.student_of_row[r]);
        }
        free(m.student_of_row);
        gradebook_free(&g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refused), cmocka_unit_test(filled),  cmocka_unit_test(quoted_when_needed),
        cmocka_unit_test(values),  cmocka_unit_test(columns), cmocka_unit_test(matched),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
