/* Gradebooks of other programs: one field changes, every other byte stays. */
#include "unit.h"

#include <stdio.h>

#include "gradebook/gradebook.h"
#include "gradebook/match.h"

#include "test_dir.h"

TEST_FILE("book.csv")

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

TEST(refused)
{
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
TEST(filled)
{
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
        FREED_BY(gradebook_free) struct gradebook g = {0};
        struct err e = ERR_INIT;
        FREED_BY(strbuf_free) struct strbuf text = STRBUF_INIT;
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
    }
}

/* What stands before the header stays, and is no row. */
TEST(before_the_header)
{
    static const struct {
        const char *before, *after, *header; /* its first field */
        size_t line;
    } table[] = {
        {"sep=;\nID;Grade\n1;\n", "sep=;\nID;Grade\n1;9.5\n", "ID", 2},
        {"\"sep=;\"\r\nID;Grade, old\r\n1;\r\n", "\"sep=;\"\r\nID;Grade, old\r\n1;9.5\r\n", "ID",
         2},
        {"sep=\t\nID\tGrade\n1\t\n", "sep=\t\nID\tGrade\n1\t9.5\n", "ID", 2},
        {"Lab 3, winter\nprinted on Monday\n\nID;Grade;Note\n1;;x\n",
         "Lab 3, winter\nprinted on Monday\n\nID;Grade;Note\n1;9.5;x\n", "ID", 4},
        /* A spreadsheet fills titles up. */
        {"Lab 3,,,,\n,,,,\nID,Grade,a,b,c\n1,,,,\n", "Lab 3,,,,\n,,,,\nID,Grade,a,b,c\n1,9.5,,,\n",
         "ID", 3},
        /* Not one of these. */
        {"sep=,Grade\n1,\n", "sep=,Grade\n1,9.5\n", "sep=", 1},
        {"ID,Grade\n1,,a,b,c,d\n", "ID,Grade\n1,9.5,a,b,c,d\n", "ID", 1},
        {"ID,Grade,,\n1,,,\n", "ID,Grade,,\n1,9.5,,\n", "ID", 1},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        FREED_BY(gradebook_free) struct gradebook g = {0};
        struct err e = ERR_INIT;
        FREED_BY(strbuf_free) struct strbuf text = STRBUF_INIT;
        put((struct bytes){table[i].before, strlen(table[i].before)});
        if (gradebook_read(file, &g, &e) != 0)
            fail_msg("row %zu: %s", i, e.text);
        if (strcmp(gradebook_value(&g, 0, 0), table[i].header) != 0 ||
            g.row[0].line != table[i].line)
            fail_msg("row %zu: the header is '%s' in line %zu", i, gradebook_value(&g, 0, 0),
                     g.row[0].line);
        gradebook_fill(&g, 1, 1, "9.5");
        assert_int_equal(gradebook_text(&g, &text, &e), 0);
        assert_string_equal(text.s, table[i].after);
    }
}

TEST(quoted_when_needed)
{
    FREED_BY(gradebook_free) struct gradebook g = {0};
    struct err e = ERR_INIT;
    FREED_BY(strbuf_free) struct strbuf text = STRBUF_INIT;
    put((struct bytes)BYTES("ID,Grade,Note\n1,,\n2\n"));
    assert_int_equal(gradebook_read(file, &g, &e), 0);
    gradebook_fill(&g, 1, 1, "9,50");
    gradebook_fill(&g, 1, 2, "a \"b\"");
    gradebook_fill(&g, 2, 2, "late");
    assert_int_equal(gradebook_text(&g, &text, &e), 0);
    assert_string_equal(text.s, "ID,Grade,Note\n1,\"9,50\",\"a \"\"b\"\"\"\n2,,late\n");
}

TEST(values)
{
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
        FREED_BY(gradebook_free) struct gradebook g = {0};
        struct err e = ERR_INIT;
        OWNED char *text = xasprintf("A,B\n%s,x\n", table[i].field);
        put((struct bytes){text, strlen(text)});
        assert_int_equal(gradebook_read(file, &g, &e), 0);
        assert_int_equal(g.rows, 2);
        assert_int_equal(g.row[1].fields, 2);
        assert_string_equal(gradebook_value(&g, 1, 0), table[i].value);
        assert_string_equal(gradebook_value(&g, 1, 1), "x");
        assert_string_equal(gradebook_value(&g, 1, 9), "");
    }
}

TEST(columns)
{
    static const struct {
        const char *heading;
        int column;
    } table[] = {
        {"x", -1},          {"ID", 0},   {"grade", 1},   {"Prod", 2},
        {"product (7)", 2}, {"Sum", -2}, {"Sum (8)", 3},
    };
    FREED_BY(gradebook_free) struct gradebook g = {0};
    struct err e = ERR_INIT;
    put((struct bytes)BYTES("ID,\" Grade \",Product (7),Sum (8),Sum (9),Grade max\n"));
    assert_int_equal(gradebook_read(file, &g, &e), 0);
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        assert_int_equal(gradebook_column(&g, table[i].heading), table[i].column);
}

enum { COLUMNS = 4, STUDENTS = 4 };

static const char *const headings[COLUMNS] = {"moodle_id", "email", "submission", "name"};
static const char *const students[STUDENTS * COLUMNS] = {
    "71",   "Anna@Example.org",
    "anna", "Anna Jones", /* 0 */
    "72",   "bob@example.org",
    "kim",  "Bob Lee", /* 1 */
    "73",   "",
    "lee",  "Bob Lee", /* 2 */
    "",     "di@example.org",
    "di",   "Di Kim", /* 3 */
};

TEST(matched)
{
    static const struct {
        const char *book;
        const char *keys; /* "02": column 0 of the gradebook, 2 of the known; "": none */
        const char *rows; /* student of each row; '-': none */
        const char *by;   /* the key of each */
    } table[] = {
        {"ID,Grade\n9,\n8,\n", "", "--", "--"},
        {"ID,Grade\n", "", "", ""},
        {"ID,Grade\n,\n", "", "-", "-"},
        {"Identifier,Full name\nParticipant 72,x\nParticipant 71,y\n", "00", "10", "00"},
        {"ID,Name\nTeilnehmer/in73,Bob Lee\n72,Anna Jones\n", "00", "21", "00"},
        /* Brightspace writes # in front, and spreadsheets take zeros away. */
        {"OrgDefinedId,Grade\n#071,\n#72,\n", "00", "01", "00"},
        {"ID,Grade\n00073,\n", "00", "2", "0"},
        {"Name,E-Mail\nx,ANNA@example.ORG\ny,bob@example.org\n", "11", "01", "00"},
        /* An empty field is no id, and a name that two students have is none. */
        {"Name,E-Mail\nBob Lee,\nAnna Jones,\n", "03", "-0", "-0"},
        /* Nor is an id that two rows have. */
        {"ID,Name\n71,Anna Jones\n71,x\n", "13", "0-", "0-"},
        /* Names find more students than ids. */
        {"ID,Name\n,Anna Jones\n", "13", "0", "0"},
        /* As many: the earlier of the columns that the run knows. */
        {"Name,ID\nAnna Jones,71\n", "10", "0", "0"},
        /* First and last names are each other's: e-mail addresses come before. */
        {"First,E-Mail\nLee,bob@example.org\nAnna,Anna@example.org\n", "11", "10", "00"},
        {"First,E-Mail,Last\nLee,bob@example.org,Kim\nKim,di@example.org,x\nAnna,z,x\n", "11",
         "13-", "00-"},
        /* So do ids, also short ones and when words find more. */
        {"First,ID\nLee,72\nKim,73\n", "10", "12", "00"},
        /* A row that a better key tells apart is not found by a worse one. */
        {"E-Mail,Name\nbob@example.org,x\nother@example.org,Anna Jones\n", "01", "1-", "0-"},
        /* One that it does not know is, if the worse one agrees with it elsewhere. */
        {"E-Mail,Login\nanna@example.org,anna\nbob@example.org,kim\n,lee\n", "0112", "012", "001"},
        {"E-Mail,Last\nanna@example.org,Jones\nbob@example.org,Lee\n,Kim\n", "01", "01-", "00-"},
        /* Marks and groups that are somebody's number by chance. */
        {"Login,Mark\nanna,73\nkim,10\nlee,9\ndi,8\n", "02", "0123", "0000"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const struct known_students k = {headings, COLUMNS, students, STUDENTS};
        FREED_BY(gradebook_free) struct gradebook g = {0};
        FREED_BY(match_free) struct match m = {0};
        struct err e = ERR_INIT;
        FREED_BY(strbuf_free) struct strbuf keys = STRBUF_INIT;
        put((struct bytes){table[i].book, strlen(table[i].book)});
        assert_int_equal(gradebook_read(file, &g, &e), 0);
        if (match_students(&g, &k, -1, &m) != 0)
            fail_msg("row %zu is refused", i);
        for (size_t j = 0; j < m.keys; j++)
            strbuf_addf(&keys, "%d%d", m.key[j].gradebook_column, m.key[j].known_column);
        if (strcmp(keys.s, table[i].keys) != 0)
            fail_msg("row %zu: keys %s", i, keys.s);
        for (size_t r = 1; r < g.rows; r++) {
            const char wanted = table[i].rows[r - 1];
            if (m.student_of_row[r] != (wanted == '-' ? -1 : wanted - '0'))
                fail_msg("table row %zu, book row %zu: %lld", i, r, m.student_of_row[r]);
            if (wanted != '-')
                assert_int_equal(m.key_of_row[r], table[i].by[r - 1] - '0');
        }
    }
}

TEST(conflicts)
{
    static const struct {
        const char *book;
        int filled;
        size_t row; /* 0: no conflict */
        int key[4];
        size_t student[2];
    } table[] = {
        /* Two e-mail addresses. */
        {"E-Mail,Other\nx@y.z,\nanna@example.org,anna@example.org\n"
         "bob@example.org,di@example.org\n",
         -1,
         3,
         {0, 1, 1, 1},
         {1, 3}},
        {"E-Mail,Other\nbob@example.org,di@example.org\n", 1, 0, {0}, {0}},
        /* Words alone. */
        {"First,Last\nLee,Kim\nKim,Lee\n", -1, 1, {0, 2, 1, 2}, {2, 1}},
        {"First,Last\nLee,Kim\nKim,Lee\nAnna,x\n", -1, 1, {0, 2, 1, 2}, {2, 1}},
        /* One word among many is nobody's key. */
        {"First,Last\nAnna,x\nKim,y\nLee,di\n", -1, 0, {0}, {0}},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const struct known_students k = {headings, COLUMNS, students, STUDENTS};
        FREED_BY(gradebook_free) struct gradebook g = {0};
        FREED_BY(match_free) struct match m = {0};
        struct err e = ERR_INIT;
        put((struct bytes){table[i].book, strlen(table[i].book)});
        assert_int_equal(gradebook_read(file, &g, &e), 0);
        if (match_students(&g, &k, table[i].filled, &m) != (table[i].row ? -1 : 0))
            fail_msg("row %zu", i);
        assert_int_equal(m.conflict.row, table[i].row);
        assert_memory_equal(m.conflict.key, table[i].key, sizeof table[i].key);
        assert_memory_equal(m.conflict.student, table[i].student, sizeof table[i].student);
    }
}

TESTS(setup, teardown)
