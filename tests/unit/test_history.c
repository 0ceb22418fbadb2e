/* The file of the history: what is none, several writers, and an interrupted one. */
#include "unit.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fsio.h"
#include "base/strbuf.h"
#include "history/news.h"

#include "test_dir.h"

static long long number(struct store *s, const char *sql)
{
    struct err e = ERR_INIT;
    sqlite3_stmt *q = store_prepare(s, &e, sql, "");
    assert_non_null(q);
    assert_int_equal(store_step(s, q, &e), 1);
    const long long n = sqlite3_column_int64(q, 0);
    sqlite3_finalize(q);
    return n;
}

TEST(no_history)
{
    struct store s;
    static const struct {
        const char *what, *sql, *text;
    } table[] = {
        {"text", NULL, "is no history, or is damaged"},
        {"another program's file", "CREATE TABLE x (y)", "is an SQLite file, but no history"},
        {"a newer version", "PRAGMA user_version = 99", "has version 99"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct err e = ERR_INIT;
        OWNED char *path = at("h");
        unlink(path);
        if (!table[i].sql) {
            const char *words = "these are some words, and no tables of any kind at all\n";
            assert_int_equal(fs_write_atomic(path, words, strlen(words), &e), 0);
        } else if (strstr(table[i].sql, "user_version")) {
            assert_int_equal(store_open(&s, path, true, &e), 0);
            assert_int_equal(store_run(&s, &e, table[i].sql, ""), 0);
            store_close(&s);
        } else {
            sqlite3 *db;
            assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
            assert_int_equal(sqlite3_exec(db, table[i].sql, NULL, NULL, NULL), SQLITE_OK);
            sqlite3_close(db);
        }
        assert_int_equal(store_open(&s, path, true, &e), -1);
        if (e.kind != ERR_INPUT || !strstr(e.text, table[i].text) || !strstr(e.text, path))
            fail_msg("%s: %s", table[i].what, e.text);
    }
    struct err e = ERR_INIT;
    OWNED char *path = at("nothing");
    assert_int_equal(store_open(&s, path, false, &e), -1);
    assert_int_equal(e.kind, ERR_INPUT);
    assert_false(fs_exists(path));
}

enum { WRITERS = 4, EACH = 10 };

static void write_some(const char *path, int writer)
{
    struct err e = ERR_INIT;
    struct store s;
    if (store_open(&s, path, true, &e) != 0)
        _exit(1);
    for (int i = 0; i < EACH; i++)
        if (store_begin(&s, &e) != 0 ||
            store_run(&s, &e, "INSERT INTO run (name, created, assignment) VALUES (?,?,'a')", "ii",
                      (int64_t)writer, (int64_t)i) != 0 ||
            store_commit(&s, &e) != 0)
            _exit(2);
    store_close(&s);
    _exit(0);
}

TEST(several_writers)
{
    OWNED char *path = at("many");
    for (int i = 0; i < WRITERS; i++)
        if (fork() == 0)
            write_some(path, i);
    for (int i = 0, status; i < WRITERS; i++) {
        assert_true(wait(&status) > 0);
        assert_int_equal(status, 0);
    }
    struct err e = ERR_INIT;
    struct store s;
    assert_int_equal(store_open(&s, path, false, &e), 0);
    assert_int_equal(number(&s, "SELECT count(*) FROM run"), WRITERS * EACH);
    store_close(&s);
}

TEST(killed_writer)
{
    OWNED char *path = at("killed");
    struct err e = ERR_INIT;
    struct store s;
    assert_int_equal(store_open(&s, path, true, &e), 0);
    store_close(&s);
    const pid_t pid = fork();
    if (pid == 0) {
        if (store_open(&s, path, true, &e) != 0 || store_begin(&s, &e) != 0 ||
            store_run(&s, &e, "INSERT INTO run (name, created, assignment) VALUES ('x','y','z')",
                      "") != 0)
            _exit(1);
        raise(SIGKILL);
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(store_open(&s, path, true, &e), 0);
    assert_int_equal(number(&s, "SELECT count(*) FROM run"), 0);
    store_close(&s);
}

/* A night that nobody measured, several runs on one day, and a value of another processor. */
TEST(rows)
{
    static const char *const sql[] = {
        "INSERT INTO run VALUES (1,'a','1','x'), (2,'b','2','x'), (3,'c','3','x')",
        "INSERT INTO time VALUES (1,'n1','x','simd','1 thread','64'), (2,'n2','x','simd','1 "
        "thread',"
        "'64')",
        "INSERT INTO facts VALUES (1,'A','m','k1','','g1','s'), (2,'A','m','k2','','g1','s'),"
        " (3,'B','m','k2','','g1','s')",
        "INSERT INTO measured VALUES (1,1,'2026-01-01T03:00:00Z',1,1),"
        " (1,2,'2026-01-01T09:00:00Z',4,1), (1,3,'2026-01-03T03:00:00Z',8,2),"
        " (2,3,'2026-01-03T03:00:00Z',2,3)",
    };
    OWNED char *path = at("rows");
    struct err e = ERR_INIT;
    struct store s;
    FREED_BY(view_free) struct view v = {0};
    assert_int_equal(store_open(&s, path, true, &e), 0);
    for (size_t i = 0; i < sizeof sql / sizeof sql[0]; i++)
        assert_int_equal(store_run(&s, &e, sql[i], ""), 0);
    assert_int_equal(view_load(&s, &v, &e), 0);
    assert_int_equal(v.panel.nights, 2);
    assert_int_equal(v.panel.nodes, 2);
    assert_int_equal(v.panel.rows, 2);
    assert_int_equal(v.panel.whats, 2); /* the processors differ */
    assert_string_equal(v.day[1], "2026-01-03");
    assert_float_equal(v.panel.row[0].log_time[0], 0.6931471805599453, 1e-12); /* of 1 and 4: 2 */
    assert_float_equal(v.panel.row[0].log_time[1], 2.0794415416798357, 1e-12);
    assert_true(v.panel.row[1].log_time[0] != v.panel.row[1].log_time[0]);
    OWNED char *changed = view_what_changed(&s, &v, "n1", 1, &e), *name = view_time_name(&v, 0);
    assert_string_equal(changed, "Linux kernel: k1 -> k2");
    assert_string_equal(name, "simd 64");
    store_close(&s);
}

TESTS_WITH(test_dir_clear, NULL, test_dir_make, test_dir_remove)
