/*
 * hidden_dirs.h - directories of which a driver must not even see how large a file is, and when it
 * was changed. Landlock keeps a process from opening files, but not from asking for their status.
 * In its own table of mounts, an empty file system covers these directories.
 */
#ifndef SUPERVISE_HIDDEN_DIRS_H
#define SUPERVISE_HIDDEN_DIRS_H

#include "supervise/sandbox.h"

/* The directories that the policy withholds, as a list that ends with NULL; texts_free() or free
 * each. A directory that holds something of `used` (NULL entries are skipped) is left out: the
 * driver needs it. So is one that lies in another one. *count: without NULL. */
char **hidden_dirs_choose(const struct sandbox_policy *p, const char *const *used,
                          size_t used_count, unsigned *count);

/* Cover them, and go to one of them. In the child, after namespaces_enter(): async-signal-safe. A
 * directory that is gone or a link by now, or that the account cannot reach, needs no cover. 0, or
 * -1 with errno. */
int hidden_dirs_cover(char *const *dirs);

#endif
