/*
 * submission_dir.h - the directory that a submission's path leads to, and whether it is the
 * student's.
 *
 * Where students put their directories themselves, a link would hand in a classmate's. They can
 * also exchange their directory for a link at any moment. So what is copied is the directory that
 * was looked at: it is opened, and only the descriptor is used from then on.
 */
#ifndef BASE_SUBMISSION_DIR_H
#define BASE_SUBMISSION_DIR_H

#include <sys/stat.h>

#include "base/err.h"

enum submission_dir {
    SUBMISSION_DIR_NONE, /* there is no directory, or nobody can get there */
    SUBMISSION_DIR_OTHERS_LINK,
    SUBMISSION_DIR_THERE,
};

/* Look where a path leads: *st is the status of the directory. A link counts if the owner of its
 * target, the grader, or the owner of the directory that the link lies in made it. The latter can
 * rename everything there anyway. An enum submission_dir, or -1: the machine or its file server
 * fails (e). */
int submission_dir_look(const char *path, struct stat *st, struct err *e);

/* The same, and open the directory that was looked at: *fd, for the caller to close, or -1. It has
 * no access mode (O_PATH). If the directory is exchanged again and again, it is
 * SUBMISSION_DIR_OTHERS_LINK. */
int submission_dir_open(const char *path, int *fd, struct err *e);

/* The directory's own path, without links, for the caller to free. NULL: not SUBMISSION_DIR_THERE.
 */
char *submission_dir_real(const char *path);

#endif
