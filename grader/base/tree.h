/*
 * tree.h - files below a directory that somebody else can change at any moment. Symbolic links are
 * never followed, not even one that takes the place of a directory meanwhile. (The directory itself
 * may be a link.)
 */
#ifndef BASE_TREE_H
#define BASE_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "base/err.h"

/* The names of everything that is not a directory, relative to `dir` ("lib/a.h"), sorted. Hidden
 * names and what lies deeper than TREE_DEPTH directories are left out, and everything after the
 * first `most` names that were found. *names ends with NULL and is the caller's, as of fs_list().
 * -1: there is no such directory, or it cannot be opened (ERR_INPUT); or the machine or its file
 * server fails somewhere in it (ERR_SYSTEM): a list that is not whole is no list. */
enum { TREE_DEPTH = 8 };
int tree_list(const char *dir, size_t most, char ***names, size_t *count, struct err *e);
/* The same for what lies in a directory below it: `below` is "", or "project2/src/". The names
 * begin with it. */
int tree_list_below(const char *dir, const char *below, size_t most, char ***names, size_t *count,
                    struct err *e);
/* The directories that tree_list() does not enter, because they lie too deep or cannot be read. */
int tree_list_closed(const char *dir, size_t most, char ***names, size_t *count, struct err *e);

/* Copy the regular file `name` of at most max bytes; name is relative to `dir`, without "..".
 * Refuses links, devices, FIFOs and what tree_is_foreign_link() says. Copies that must outlive a
 * crash of the machine need fs_sync() in the end. */
int tree_copy(const char *dir, const char *name, const char *to, size_t max, struct err *e);

/* The same, to the same place below the directory `to`. Makes the directories that it needs. */
int tree_copy_below(const char *dir, const char *name, const char *to, size_t max, struct err *e);

/* Whether a file, looked at already, has other hard links and does not belong to the owner of the
 * directory that it lies in. Who made the link there need not have been able to read it. -1: the
 * machine or its file server fails (e). */
int tree_is_foreign_link(const char *path, const struct stat *st, struct err *e);

#endif
