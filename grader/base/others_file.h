/*
 * others_file.h - a file that decides about points, in a directory to which students may be able to
 * write: everybody is, or its sticky bit keeps those who are from each other's files. There it
 * counts if the grader, root, or the owner of the directory made it. The latter can rename
 * everything there anyway. In other directories, a colleague's file counts as well.
 */
#ifndef BASE_OTHERS_FILE_H
#define BASE_OTHERS_FILE_H

#include <sys/stat.h>

#include "base/err.h"

/* -1 with e: `path`, whose own status `st` is (fs_lstat), belongs to somebody else. */
int others_file_refuse(const char *path, const struct stat *st, struct err *e);

#endif
