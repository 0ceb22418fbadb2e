/*
 * store.h - the history: an SQLite file with the times of the reference and of the yardsticks, from
 * every run. This file owns its tables.
 *
 * Several processes may read and write at the same time, also on several machines if the file
 * system has working locks. The file has a rollback journal. A write-ahead log would need memory
 * that all processes share, so it cannot be on a network file system.
 */
#ifndef HISTORY_STORE_H
#define HISTORY_STORE_H

#include <sqlite3.h>
#include <stdbool.h>

#include "base/err.h"

struct store {
    sqlite3 *db;
    char *path;
};

/* Open the history; create it if that is wanted. A file of a newer version, or one that is not a
 * history, is an error of the input. Close it after success only. */
int store_open(struct store *s, const char *path, bool create, struct err *e);
void store_close(struct store *s);

/* A transaction: between begin and commit, nobody else writes. It waits for its turn for a minute.
 * store_rollback() does nothing when there is none. */
int store_begin(struct store *s, struct err *e);
int store_commit(struct store *s, struct err *e);
void store_rollback(struct store *s);

/* A statement with its values bound, by a letter each: s text (const char *; NULL is ""), i
 * int64_t, d double. NULL with e. */
sqlite3_stmt *store_prepare(struct store *s, struct err *e, const char *sql, const char *kinds,
                            ...);
/* The next row: 1, or 0 at the end, or -1 with e. */
int store_step(struct store *s, sqlite3_stmt *q, struct err *e);
/* Prepare, step to the end, finalize. 0 or -1. */
int store_run(struct store *s, struct err *e, const char *sql, const char *kinds, ...);
/* The text of a column, never NULL; valid until the next step. */
const char *store_text(sqlite3_stmt *q, int column);

/* When a node was measured last; "": never. The caller frees *last, also after -1. */
int store_last_measured(struct store *s, const char *node, char **last, struct err *e);

#endif
