/*
 * repository.h - the last commit of a student's git repository, without trusting the repository:
 * its configuration and hooks are not read, because they can name programs to run.
 */
#ifndef IMPORT_REPOSITORY_H
#define IMPORT_REPOSITORY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct commit {
    char id[65];  /* hexadecimal */
    int64_t when; /* seconds since 1970, as the committer's machine said */
};

/* The commit that is checked out in `dir`, or the last one on its first line of parents that is not
 * later than *deadline (NULL: there is none). 0; 1: every commit is later; -1 with e. `scratch`: a
 * directory that may be written to. */
int repository_commit(const char *dir, const int64_t *deadline, const char *scratch,
                      struct commit *out, struct err *e);

/* Does the clone lack a part of its history? */
bool repository_is_shallow(const char *dir);

/* Write the files of a commit as a tar archive. */
int repository_archive(const char *dir, const struct commit *c, const char *scratch,
                       const char *tar, struct err *e);

#endif
