/* Class lists as spreadsheets, registries and people write them. */
#include "unit.h"

#include <string.h>
#include <time.h>

#include "base/fsio.h"
#include "base/strbuf.h"
#include "plan/roster.h"

#include "test_dir.h"

TEST_FILE("class.csv")

static void put(const char *text, size_t n)
{
    assert_int_equal(fs_write_atomic(file, text, n, NULL), 0);
}

TEST(refused)
{
    static const struct {
        const char *text, *says;
    } table[] = {
        {"", "empty"},
        {"\xef\xbb\xbf", "empty"},
        {"\r\n\r\n", "empty"},
        {"id\n", "no students"},
        {"student,grade\nmw12,1\n", "'submission', 'id' or 'name'"},
        {"\xff\xfeid\nmw12\n", "UTF-16"},
        {"\xfe\xffid\nmw12\n", "UTF-16"},
        {"name\nMia\nM\xfcller\n", ":3: not UTF-8"},
        {"id,name\nmw12,M\xfcller\n", ":2: not UTF-8"},
        {"id|name\nmw12|Mia\n", "'submission', 'id' or 'name'"},
        {"id;name\nmw12;Mia;x\n", ":2: the row has more fields"},
        {"id\nmw12,x\n", ":2: the row has more fields"},
        {"id,name\n\"mw12,Mia\nbb07,Bob\n", "not closed"},
        {"id,name\nmw12,Mi\"a\n", ":2: "},
        {"id,name\nmw12,\"Mia\"x\n", ":2: "},
        {"id,name\n,Mia\n", ":2: the entry is empty"},
        {"id,name\n\"  \",Mia\n", ":2: the entry is empty"},
        {"id\n..\n", ":2: '..' is not a directory name"},
        {"id\na/b\n", ":2: 'a/b' is not a directory name"},
        {"id\nmw12\nbb07\n\" mw12\"\n", ":4: 'mw12' is listed twice, first on line 2"},
        {"name,mail\nMia Work,a@x\nMia Work,b@x\n", "a column 'submission'"},
        {"id,gr\xfc\nmw12,1\n", ":1: not UTF-8"},
        {"id,group\nmw12,1\nbb07,\xfc\n", ":3: not UTF-8"},
        /* Lines are those of the file, not rows. */
        {"id,name\nmw12,\"Mia\nMarie\nWork\"\n..,x\n", ":5: '..'"},
        {"id,name\r\nmw12,\"Mia\r\nWork\"\r\n\r\n..,x\r\n", ":5: '..'"},
        {"id\rmw12\r..\r", ":3: '..'"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct roster r;
        struct err e = ERR_INIT;
        put(table[i].text, strlen(table[i].text));
        if (roster_load(file, &r, &e) == 0)
            fail_msg("'%s' was taken", table[i].text);
        if (!strstr(e.text, table[i].says) || !strstr(e.text, "class.csv"))
            fail_msg("'%s' says '%s'", table[i].text, e.text);
        assert_int_equal(e.kind, ERR_INPUT);
        assert_int_equal(r.count, 0);
    }
}

TEST(taken)
{
    static const struct {
        const char *text, *directory, *name;
        size_t count; /* directory and name are the last entry's */
    } table[] = {
        {"id\nmw12\n", "mw12", "mw12", 1},
        {"id\nmw12", "mw12", "mw12", 1},
        {"\xef\xbb\xbfid,name\r\nmw12,Mia\r\n", "mw12", "Mia", 1},
        {"\xef\xbb\xbf\"id\",\"name\"\r\n\"mw12\",\"Mia\"\r\n", "mw12", "Mia", 1},
        {"\n\r\n ID ,\tName\n\n\nmw12,Mia\n\n\n", "mw12", "Mia", 1},
        {"id\rmw12\rbb07\r", "bb07", "bb07", 2},
        {"name,grade,submission\nMia,1,mw12\nBob,,bb07\n", "bb07", "Bob", 2},
        {"id,name\nmw12,\"Work, Mia \"\"M\"\"\"\n", "mw12", "Work, Mia \"M\"", 1},
        {"id,name\n\"c d\",\"Mia\r\nWork\"\n", "c d", "Mia\r\nWork", 1},
        {"id,name\nmw12,\n", "mw12", "mw12", 1},
        {"id,name\nmw12\n", "mw12", "mw12", 1},
        {"id,name\n  mw12\t,  Mia  \n", "mw12", "Mia", 1},
        {"name\nM\xc3\xbcller\n", "M\xc3\xbcller", "M\xc3\xbcller", 1},
        {"id;name\nmw12;Mia\n", "mw12", "Mia", 1},
        {"id\tname\nmw12\tWork, Mia\n", "mw12", "Work, Mia", 1},
        {"id;name\nmw12;\"Work; Mia\"\n", "mw12", "Work; Mia", 1},
        {"\"family;first\",id\nx,mw12\n", "mw12", "mw12", 1},
        {"id\n-rf\n", "-rf", "-rf", 1},
        {"id\n=1+1\n", "=1+1", "=1+1", 1},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        FREED_BY(roster_free) struct roster r = {0};
        struct err e = ERR_INIT;
        put(table[i].text, strlen(table[i].text));
        if (roster_load(file, &r, &e) != 0)
            fail_msg("%s", e.text);
        assert_int_equal(r.count, table[i].count);
        assert_string_equal(r.student[r.count - 1].directory, table[i].directory);
        assert_string_equal(r.student[r.count - 1].name, table[i].name);
    }
}

/* What the file has beside the name of the student is kept, as it is. */
TEST(other_columns)
{
    static const struct {
        const char *text;
        const char *columns, *fields; /* of the last entry; each with a | behind it */
    } table[] = {
        {"id\nmw12\n", "id|", "mw12|"},
        {"name\nMia\n", "", ""},
        {"id,name\nmw12,Mia\n", "id|", "mw12|"},
        {"mail, ID ,Name,group\na@x,\" mw12 \",Mia,\n", "mail|ID|group|", "a@x| mw12 ||"},
        {"submission,id,mail\nmw12,4711\n", "submission|id|mail|", "mw12|4711||"},
        {"id;mail;\nmw12;\"a;\"\"b\"\",\r\nc\";\n", "id|mail|", "mw12|a;\"b\",\r\nc|"},
        {"id,,x, \nmw12,1,2,3\n", "id|x|", "mw12|2|"},
        {"id,x,X,x\nmw12,1,2,3\n", "id|x|X|x|", "mw12|1|2|3|"},
        {"id,gr\xc3\xbcn\nmw12,\xe2\x82\xac\n", "id|gr\xc3\xbcn|", "mw12|\xe2\x82\xac|"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        FREED_BY(roster_free) struct roster r = {0};
        struct err e = ERR_INIT;
        FREED_BY(strbuf_free) struct strbuf columns = STRBUF_INIT, fields = STRBUF_INIT;
        put(table[i].text, strlen(table[i].text));
        if (roster_load(file, &r, &e) != 0)
            fail_msg("%s", e.text);
        for (size_t k = 0; k < r.columns; k++) {
            strbuf_addf(&columns, "%s|", r.column[k]);
            strbuf_addf(&fields, "%s|", r.student[r.count - 1].field[k]);
        }
        assert_string_equal(columns.s, table[i].columns);
        assert_string_equal(fields.s, table[i].fields);
    }
}

enum { MANY = 100000 };

/* A whole university: no work that grows with the square of it. Processor time, so that a busy
 * machine does not matter; with the square it is half a minute. */
TEST(many)
{
    FREED_BY(strbuf_free) struct strbuf sb = STRBUF_INIT;
    strbuf_adds(&sb, "\xef\xbb\xbf"
                     "id,name\r\n");
    for (int i = 0; i < MANY; i++)
        strbuf_addf(&sb, "student%06d,\"Family %d,\r\nGiven \"\"G.\"\"\"\r\n", i, i);
    put(sb.s, sb.len);
    struct roster r;
    struct err e = ERR_INIT;
    clock_t start = clock();
    if (roster_load(file, &r, &e) != 0)
        fail_msg("%s", e.text);
    assert_int_equal(r.count, MANY);
    assert_string_equal(r.student[MANY - 1].directory, "student099999");
    assert_string_equal(r.student[MANY - 1].name, "Family 99999,\r\nGiven \"G.\"");
    roster_free(&r);
    /* The last one again: found, and on its line. */
    strbuf_adds(&sb, "student000000,x\r\n");
    put(sb.s, sb.len);
    assert_int_equal(roster_load(file, &r, &e), -1);
    assert_non_null(strstr(e.text, ":200002: 'student000000' is listed twice"));
    assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 10);
}

TESTS(setup, teardown)
