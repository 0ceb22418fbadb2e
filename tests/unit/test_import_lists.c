/* The files beside the imported submissions, and the one of Gradescope that says whose they are. */
#include "unit.h"

#include <stdio.h>

#include "import/class_list.h"
#include "import/submission_metadata.h"

#include "test_dir.h"

enum { ROWS_MOST = 3 };

TEST(merged)
{
    static const struct {
        const char *old; /* NULL: there is no file */
        struct class_row row[ROWS_MOST];
        const char *after; /* with | for CR LF; NULL: there is no file */
    } table[] = {
        {NULL, {{0}}, NULL},
        {NULL, {{"anna", {"Anna", "7"}, CLASS_WRITE, NULL}}, "submission,name,id|anna,Anna,7|"},
        {NULL, {{"anna", {"Anna", ""}, CLASS_WRITE, NULL}}, "submission,name|anna,Anna|"},
        {NULL, {{"anna", {"Anna", "7"}, CLASS_REMOVE, NULL}}, NULL},
        {"submission\nanna\n", {{"anna", {"Anna", "7"}, CLASS_REMOVE, NULL}}, NULL},
        /* Again: the same. */
        {"submission,name,id\r\nanna,Anna,7\r\n",
         {{"anna", {"Anna", "7"}, CLASS_WRITE, NULL}},
         "submission,name,id|anna,Anna,7|"},
        /* What others wrote stays: columns, their order, names, rows. */
        {"\xef\xbb\xbfgroup;Submission;Name\nTue;anna;\"Jones; A.\"\nWed;zoe;\n",
         {{"anna", {"jonesa", "7"}, CLASS_WRITE, NULL}, {"bob", {"Bob", "8"}, CLASS_WRITE, NULL}},
         "group,Submission,Name,id|Tue,anna,Jones; A.,7|Wed,zoe,,|,bob,Bob,8|"},
        {"submission,name,id\nanna,,6\n",
         {{"anna", {"Anna", "7"}, CLASS_WRITE, NULL}},
         "submission,name,id|anna,Anna,7|"},
        {"submission,name,id\nanna,,6\n",
         {{"anna", {"Anna", ""}, CLASS_WRITE, NULL}},
         "submission,name,id|anna,Anna,6|"}, /* somebody may have written it */
        {"submission,name,id\nanna,jonesa,6\nbob,B,7\n",
         {{"anna", {"Anna", "6"}, CLASS_WRITE, "jonesa"}, {"bob", {"Bob", "7"}, CLASS_WRITE, "b"}},
         "submission,name,id|anna,Anna,6|bob,B,7|"},
        {"submission,name,id\nanna,A,6\nbob,B,7\n",
         {{"anna", {"", ""}, CLASS_REMOVE, NULL}},
         "submission,name,id|bob,B,7|"},
        {"submission,name,late\nanna,A,yes\n",
         {{"anna", {"Anna", "", ""}, CLASS_WRITE, NULL}},
         "submission,name,late|anna,A,|"},
        {"submission,name,id\nanna,A,6\nbob,B,7\n",
         {{"anna", {"Anna", "8"}, CLASS_KEEP, NULL}, {"carl", {"Carl", "9"}, CLASS_KEEP, NULL}},
         "submission,name,id|anna,A,6|bob,B,7|"},
        {NULL, {{"anna", {"Anna", "8"}, CLASS_KEEP, NULL}}, NULL},
        {NULL, {{"anna", {"=1+1", "7"}, CLASS_WRITE, NULL}}, "submission,name,id|anna,'=1+1,7|"},
        {"submission,name,id\nanna,'=1+1,7\n",
         {{"anna", {"=1+1", "7"}, CLASS_WRITE, NULL}},
         "submission,name,id|anna,'=1+1,7|"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        enum { COLUMNS = 3 };
        struct class_row row[ROWS_MOST];
        struct class_update u = {{"name", "id", "late"}, COLUMNS, row, 0};
        struct err e = ERR_INIT;
        OWNED char *path = at("list.csv"), *data = NULL;
        for (; u.rows < ROWS_MOST && table[i].row[u.rows].submission; u.rows++) {
            row[u.rows] = table[i].row[u.rows];
            for (size_t k = 0; k < COLUMNS; k++)
                if (!row[u.rows].field[k])
                    row[u.rows].field[k] = "";
        }
        assert_int_equal(test_dir_clear(NULL), 0);
        if (table[i].old)
            put_at("list.csv", table[i].old);
        FREED_BY(strbuf_free) struct strbuf kept = STRBUF_INIT;
        if (class_list_update(path, &u, &kept, &e) != 0)
            fail_msg("row %zu: %s", i, e.text);
        assert_string_equal(kept.s, row[0].change == CLASS_KEEP && table[i].old ? "anna\n" : "");
        assert_int_equal(exists_at("list.csv"), table[i].after != NULL);
        if (table[i].after) {
            OWNED char *lines = xreplace(table[i].after, "|", "\r\n");
            assert_int_equal(fs_read(path, 10000, &data, NULL, NULL), 0);
            assert_string_equal(data, lines);
        }
    }
}

TEST(not_merged)
{
    static const struct {
        const char *old, *says;
    } table[] = {
        {"id,name\n1,Anna\n", "no column 'submission'"},
        {"submission,name\nanna,\"Anna\n", "not closed"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const struct class_row row = {"bob", {"Bob", "8"}, CLASS_WRITE, NULL};
        const struct class_update u = {{"name", "id"}, 2, &row, 1};
        struct err e = ERR_INIT;
        OWNED char *path = at("list.csv"), *data = NULL;
        assert_int_equal(test_dir_clear(NULL), 0);
        put_at("list.csv", table[i].old);
        assert_int_equal(class_list_update(path, &u, NULL, &e), -1);
        assert_int_equal(e.kind, ERR_INPUT);
        assert_non_null(strstr(e.text, table[i].says));
        assert_int_equal(fs_read(path, 10000, &data, NULL, NULL), 0);
        assert_string_equal(data, table[i].old); /* nothing is lost */
    }
}

TEST(metadata_refused)
{
    FREED_BY(strbuf_free) struct strbuf deep = STRBUF_INIT;
    for (int i = 0; i < 200; i++)
        strbuf_adds(&deep, "[");
    const char *const table[] = {"a: [", "a: b: c", "\t- x", "{a: \xff}", deep.s};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        FREED_BY(submission_metadata_free) struct submission_metadata m = {0};
        struct err e = ERR_INIT;
        OWNED char *path = at("m.yml");
        put_at("m.yml", table[i]);
        if (submission_metadata_read(path, &m, &e) == 0)
            fail_msg("'%s' was taken", table[i]);
        assert_int_equal(e.kind, ERR_INPUT);
        if (!strstr(e.text, "m.yml:"))
            fail_msg("%s", e.text);
    }
}

TEST(metadata)
{
    static const struct {
        const char *text, *says; /* number name sid email created| */
    } table[] = {
        {"", ""},
        {"--- {}\n", ""},
        {"- a\n- b\n", ""},
        {"submission_1:\n  :submitters: []\n", ""},
        {"submission_1:\n  :submitters:\n  - :name: Anna Jones\n    :sid: '0012'\n    :email: a@x\n"
         "  :created_at: 2026-03-12 22:59:00.123456000 Z\n  :score: 10.0\n",
         "1 Anna Jones 0012 a@x 1773356340|"},
        {"submission_1:\n  :created_at: 2026-03-12 22:59:00 Z\n  :submitters:\n  - :name: A\n"
         "  - :name: B\n    :sid:\nsubmission_2:\n  :submitters:\n  - :email: c@x\n",
         "1 A   1773356340|1 B   1773356340|2   c@x -|"},
        /* The same words elsewhere mean other things. */
        {"submission_1:\n  :results:\n    :submitters:\n    - :name: no\n    :tests:\n    - :name: "
         "no\n"
         "      :created_at: 2026-03-12 22:59:00 Z\n  :submitters:\n  - :name: A\n    :more:\n"
         "      :name: no\n    :sid: '5'\n  :history:\n  - :created_at: 2026-03-12 22:59:00 Z\n",
         "1 A 5  -|"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        FREED_BY(submission_metadata_free) struct submission_metadata m = {0};
        struct err e = ERR_INIT;
        FREED_BY(strbuf_free) struct strbuf says = STRBUF_INIT;
        OWNED char *path = at("m.yml");
        put_at("m.yml", table[i].text);
        if (submission_metadata_read(path, &m, &e) != 0)
            fail_msg("%s", e.text);
        for (size_t k = 0; k < m.count; k++) {
            const struct submitter *s = &m.item[k];
            char when[24] = "-";
            if (s->timed)
                snprintf(when, sizeof when, "%lld", (long long)s->created);
            strbuf_addf(&says, "%s %s %s %s %s|", s->number, s->name, s->sid, s->email, when);
        }
        assert_string_equal(says.s, table[i].says);
    }
}

TESTS(test_dir_make, test_dir_remove)
