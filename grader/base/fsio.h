/*
 * fsio.h - whole files and trees, written so that a reader never sees half a file.
 */
#ifndef BASE_FSIO_H
#define BASE_FSIO_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "base/err.h"

/* Read a regular file of at most max bytes into a fresh NUL-terminated buffer that the caller
 * frees. *len (may be NULL) receives its length without the NUL. If the file could not be opened or
 * read, e->file_error says why. */
int fs_read(const char *path, size_t max, char **data, size_t *len, struct err *e);

/* The two steps of it. A name is relative to an open directory, or AT_FDCWD; messages show `shown`.
 * fs_open_regular() returns the descriptor of a regular file, or -1. `flags`: O_NOFOLLOW or 0. */
struct fs_name {
    int directory;
    const char *name, *shown;
};
int fs_open_regular(const struct fs_name *n, int flags, struct stat *st, struct err *e);
int fs_read_fd(int fd, const char *shown, size_t max, char **data, size_t *len, struct err *e);
/* Is it the path that is wrong, or does the machine or its file server fail? */
bool fs_path_is_wrong(int error);
/* Say what errno says about a path that could not be opened: ERR_INPUT if the path is wrong. */
int fs_open_error(const char *path, struct err *e);

/* Who is told to end while a temporary exists ends when it has its name: nothing is left behind.
 * Each function below does so by itself; threads that write have their signals held by the one that
 * has begun them. */
void fs_hold_signals(sigset_t *before);
void fs_release_signals(const sigset_t *before);

/* Replace path by data: write to a temporary in the same directory, fsync, rename. */
int fs_write_atomic(const char *path, const void *data, size_t len, struct err *e);
/* The same without fsync, for many files: a busy disk needs some 50 ms for each one. After a crash
 * of the machine, the file may be empty, unless fs_sync() was called before. */
int fs_write_unsynced(const char *path, const void *data, size_t len, struct err *e);
/* As fs_write_atomic, for a file that the user names. A device, a pipe or a link keeps its place:
 * what it leads to is written. As root, a file could replace even /dev/null. */
int fs_write_output(const char *path, const void *data, size_t len, struct err *e);
/* The same; if it is a file, everybody may read it. */
int fs_write_for_all(const char *path, const void *data, size_t len, struct err *e);
/* Wait until the file system of this directory is on the disk. */
int fs_sync(const char *directory, struct err *e);

/* Copy a file that nobody else can change, of at most max bytes: all of it or nothing. (tree.h
 * copies the files of others.) */
int fs_copy(const char *from, const char *to, size_t max, struct err *e);

/* As fs_write_atomic, but the first writer wins: returns 0 if this call created path, 1 if it
 * existed already (left untouched), -1 on error. */
int fs_publish_once(const char *path, const void *data, size_t len, struct err *e);

int fs_mkdirs(const char *path, struct err *e);      /* like mkdir -p, mode 0700 */
int fs_mkdirs_for(const char *path, struct err *e);  /* the directory of this file */
int fs_remove_tree(const char *path, struct err *e); /* like rm -rf; never follows links */
bool fs_exists(const char *path);
bool fs_is_dir(const char *path);
/* The same where a wrong no would be somebody's fault. 1: *st says what is there. 0: nothing is, or
 * nobody can get there by this path (errno). -1: the machine or its file server fails (e). */
int fs_stat(const char *path, struct stat *st, struct err *e);
int fs_lstat(const char *path, struct stat *st, struct err *e); /* does not follow a link */
/* True for a file of this user that nobody else can write; links are not followed. */
bool fs_is_private(const char *path);
/* True for a directory of this user that nobody else can access; links are not followed. */
bool fs_is_private_dir(const char *path);

/* Sorted names in a directory without "." and "..", and NULL at the end; *names and each name are
 * the caller's. All of them, or after an error none. */
int fs_list(const char *path, char ***names, size_t *count, struct err *e);
void fs_list_free(char **names, size_t count);

/* The directory for temporary files: $TMPDIR, or /tmp if it is not set. Not to be freed; valid
 * until the environment changes. */
const char *fs_tmpdir(void);
/* Where proctors build: the same, or /tmp if that is longer or cannot be written. Sockets are
 * created below it; their paths are limited to 107 bytes. */
enum { FS_SCRATCH_LONGEST = 59 };
const char *fs_scratch_parent(void);

/* Absolute form of a path that need not exist, with a slash in any case; the caller frees it. */
char *fs_absolute(const char *path);
/* The same for a path whose last name may be a link: the link, and not what it leads to. */
char *fs_absolute_link(const char *path);

/* False on a file system from which no program or library may be started (mounted with noexec). */
bool fs_may_execute(const char *dir);
#define FS_NO_EXECUTION                                                                            \
    "nothing that is built there can be run (the file system is mounted with noexec). Set "        \
    "TMPDIR, "                                                                                     \
    "or scratch in the configuration (paragrade config), to another directory"

#endif
