#include "history/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/strbuf.h"

enum { VERSION = 1, APPLICATION = 0x50477264, WAIT_MS = 60000 };

/* time: what is measured. facts: what else was there at the time. measured: how long it took. */
static const char SCHEMA[] =
    "CREATE TABLE run (id INTEGER PRIMARY KEY, name TEXT NOT NULL, created TEXT NOT NULL,"
    "  assignment TEXT NOT NULL, UNIQUE (name, created));"
    "CREATE TABLE time (id INTEGER PRIMARY KEY, node TEXT NOT NULL, assignment TEXT NOT NULL,"
    "  tier TEXT NOT NULL, launch TEXT NOT NULL, size TEXT NOT NULL,"
    "  UNIQUE (node, assignment, tier, launch, size));"
    "CREATE TABLE facts (id INTEGER PRIMARY KEY, processor TEXT NOT NULL, microcode TEXT NOT NULL,"
    "  kernel TEXT NOT NULL, driver TEXT NOT NULL, compiler TEXT NOT NULL, source TEXT NOT NULL,"
    "  UNIQUE (processor, microcode, kernel, driver, compiler, source));"
    "CREATE TABLE measured (time INTEGER NOT NULL REFERENCES time, run INTEGER NOT NULL REFERENCES "
    "run,"
    "  at TEXT NOT NULL, seconds REAL NOT NULL CHECK (seconds > 0),"
    "  facts INTEGER NOT NULL REFERENCES facts, PRIMARY KEY (time, run)) WITHOUT ROWID;"
    "CREATE TABLE reported (node TEXT NOT NULL, slower INTEGER NOT NULL, since TEXT NOT NULL,"
    "  at TEXT NOT NULL);";

static int failed(const struct store *s, struct err *e)
{
    const int code = sqlite3_errcode(s->db) & 0xff;
    if (code == SQLITE_NOTADB || code == SQLITE_CORRUPT)
        return err_input(e,
                         "%s: is no history, or is damaged: %s. Name another file, or restore "
                         "this one from a copy",
                         s->path, sqlite3_errmsg(s->db));
    if (code == SQLITE_BUSY)
        return err_system(e, "%s: another process has been writing for a minute. Try again",
                          s->path);
    if (code == SQLITE_READONLY)
        return err_system(e, "%s: you may not write to it. Change that, or name another file",
                          s->path);
    return err_system(e, "%s: %s", s->path, sqlite3_errmsg(s->db));
}

static sqlite3_stmt *prepare(struct store *s, struct err *e, const char *sql, const char *kinds,
                             va_list ap)
{
    sqlite3_stmt *q = NULL;
    if (sqlite3_prepare_v2(s->db, sql, -1, &q, NULL) != SQLITE_OK) {
        failed(s, e);
        return NULL;
    }
    for (int i = 1; kinds[i - 1]; i++) {
        const char *text;
        switch (kinds[i - 1]) {
        case 's':
            text = va_arg(ap, const char *);
            sqlite3_bind_text(q, i, text ? text : "", -1, SQLITE_TRANSIENT);
            break;
        case 'i':
            sqlite3_bind_int64(q, i, va_arg(ap, int64_t));
            break;
        default:
            sqlite3_bind_double(q, i, va_arg(ap, double));
        }
    }
    return q;
}

sqlite3_stmt *store_prepare(struct store *s, struct err *e, const char *sql, const char *kinds, ...)
{
    va_list ap;
    va_start(ap, kinds);
    sqlite3_stmt *q = prepare(s, e, sql, kinds, ap);
    va_end(ap);
    return q;
}

int store_step(struct store *s, sqlite3_stmt *q, struct err *e)
{
    switch (sqlite3_step(q)) {
    case SQLITE_ROW:
        return 1;
    case SQLITE_DONE:
        return 0;
    default:
        return failed(s, e);
    }
}

int store_run(struct store *s, struct err *e, const char *sql, const char *kinds, ...)
{
    va_list ap;
    va_start(ap, kinds);
    sqlite3_stmt *q = prepare(s, e, sql, kinds, ap);
    va_end(ap);
    int rc = q ? 1 : -1;
    while (rc == 1)
        rc = store_step(s, q, e);
    sqlite3_finalize(q);
    return rc;
}

const char *store_text(sqlite3_stmt *q, int column)
{
    const char *text = (const char *)sqlite3_column_text(q, column);
    return text ? text : "";
}

static int pragma(struct store *s, const char *sql, long long *value, struct err *e)
{
    sqlite3_stmt *q = store_prepare(s, e, sql, "");
    int rc = q ? store_step(s, q, e) : -1;
    if (rc == 1)
        *value = sqlite3_column_int64(q, 0);
    sqlite3_finalize(q);
    return rc < 0 ? -1 : 0;
}

/* Make the tables, if the file is new. Two processes may try this at the same time. */
static int make(struct store *s, struct err *e)
{
    long long version = 0, application = 0, objects = 0;
    if (store_begin(s, e) != 0 || pragma(s, "PRAGMA user_version", &version, e) != 0 ||
        pragma(s, "PRAGMA application_id", &application, e) != 0 ||
        pragma(s, "SELECT count(*) FROM sqlite_master", &objects, e) != 0)
        return -1;
    if (!objects && !version) {
        OWNED char *sql = xasprintf("%sPRAGMA user_version = %d; PRAGMA application_id = %d;",
                                    SCHEMA, VERSION, APPLICATION);
        const int rc = sqlite3_exec(s->db, sql, NULL, NULL, NULL);
        return rc == SQLITE_OK ? store_commit(s, e) : failed(s, e);
    }
    if (application != APPLICATION)
        return err_input(e, "%s: is an SQLite file, but no history of Paragrade. Name another file",
                         s->path);
    if (version != VERSION)
        return err_input(e,
                         "%s: has version %lld, and this program reads version %d. Use the "
                         "Paragrade that wrote it, or begin a new file",
                         s->path, version, VERSION);
    return store_commit(s, e);
}

/* Has the file tables of this version? For readers, which may not be allowed to write. */
static bool is_made(struct store *s)
{
    long long version = 0, application = 0;
    struct err ignored = ERR_INIT;
    return pragma(s, "PRAGMA user_version", &version, &ignored) == 0 &&
           pragma(s, "PRAGMA application_id", &application, &ignored) == 0 && version == VERSION &&
           application == APPLICATION;
}

int store_open(struct store *s, const char *path, bool create, struct err *e)
{
    const int flags = SQLITE_OPEN_READWRITE | (create ? SQLITE_OPEN_CREATE : 0);
    *s = (struct store){.path = xstrdup(path)};
    if (!create && access(path, F_OK) != 0) {
        err_input(e, "%s: there is no history yet. `paragrade nightly` without --look begins one",
                  path);
        goto fail;
    }
    /* SQLite does not say why it cannot create a file. */
    const int fd = create ? open(path, O_RDONLY | O_CREAT | O_CLOEXEC, 0666) : -1;
    if (create && fd < 0) {
        err_input(e, "%s: cannot be opened: %s", path, strerror(errno));
        goto fail;
    }
    if (fd >= 0)
        close(fd);
    if (sqlite3_open_v2(path, &s->db, flags, NULL) != SQLITE_OK) {
        err_input(e, "%s: cannot be opened: %s", path,
                  s->db ? sqlite3_errmsg(s->db) : "out of memory");
        goto fail;
    }
    sqlite3_busy_timeout(s->db, WAIT_MS);
    if (is_made(s) || make(s, e) == 0)
        return 0;
fail:
    store_rollback(s);
    store_close(s);
    return -1;
}

void store_close(struct store *s)
{
    sqlite3_close(s->db);
    free(s->path);
    *s = (struct store){0};
}

int store_begin(struct store *s, struct err *e)
{
    return store_run(s, e, "BEGIN IMMEDIATE", "");
}

int store_commit(struct store *s, struct err *e)
{
    return store_run(s, e, "COMMIT", "");
}

void store_rollback(struct store *s)
{
    if (s->db && !sqlite3_get_autocommit(s->db))
        sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
}

int store_last_measured(struct store *s, const char *node, char **last, struct err *e)
{
    sqlite3_stmt *q = store_prepare(
        s, e, "SELECT max(m.at) FROM measured m JOIN time t ON t.id = m.time WHERE t.node = ?", "s",
        node);
    const int rc = q ? store_step(s, q, e) : -1;
    *last = xstrdup(rc == 1 ? store_text(q, 0) : "");
    sqlite3_finalize(q);
    return rc < 0 ? -1 : 0;
}
