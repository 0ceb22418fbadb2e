/*
 * own_files.h - the files of one start of a launcher, in two file systems in memory that only its
 * processes see. Linux keeps the limits, and counts what no walk through directories finds: files
 * without a name, and any number of directories.
 */
#ifndef SUPERVISE_OWN_FILES_H
#define SUPERVISE_OWN_FILES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/namespaces.h"

/* So many files may be in each. MPI makes some dozens for each rank. */
enum { OWN_FILES_MOST = 16384 };

/* Starts as zeros. Without namespaces, `home` is NULL, and the files are in directories of the
 * node. */
struct own_files {
    char *home; /* HOME, TMPDIR and the current directory; owned */
    char *shm;  /* for segments that ranks share; owned */
    char home_options[NAMESPACES_OPTIONS], shm_options[NAMESPACES_OPTIONS];
};

/* Make the directories below `scratch` on which the file systems are mounted. Each file system is
 * somewhat larger than its limit, so that it is seen when more than the limit is used. */
void own_files_make(struct own_files *f, const char *scratch, uint64_t home_most,
                    uint64_t shm_most);
void own_files_free(struct own_files *f);

/* Mount them. In the child, after namespaces_enter(): async-signal-safe. 0, or -1 with errno. */
int own_files_mount(const struct own_files *f);

/* What one of the two holds, as a process that has them sees it. False when it is gone. */
struct files_held {
    uint64_t bytes, files;
};
bool own_files_held(const char *dir, pid_t pid, struct files_held *out);

#endif
