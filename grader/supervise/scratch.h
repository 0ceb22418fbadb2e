/*
 * scratch.h - the proctor's own temporary directory on the node, removed at the end; directories
 * of proctors that were killed are removed by the next one.
 */
#ifndef SUPERVISE_SCRATCH_H
#define SUPERVISE_SCRATCH_H

#include "base/err.h"

struct scratch {
    char *dir; /* absolute, short enough for Unix sockets below it */
    int lock;  /* held as long as the directory is in use */
    char *shm; /* the same in memory, where MPI puts its shared segments; NULL: no /dev/shm */
    int shm_lock;
};

int scratch_create(struct scratch *s, struct err *e);
/* A fresh subdirectory; the caller frees the path. NULL on failure. */
char *scratch_sub(const struct scratch *s, const char *name, struct err *e);
void scratch_remove(struct scratch *s);

#endif
