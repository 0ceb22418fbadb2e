/*
 * scratch.h - the proctor's temporary directory on the node. The proctor removes it at the end. If
 * a proctor was killed, the next one removes its directory.
 */
#ifndef SUPERVISE_SCRATCH_H
#define SUPERVISE_SCRATCH_H

#include "base/err.h"

struct scratch {
    char *dir; /* absolute, and short enough for Unix sockets below it */
    int lock;  /* held as long as the directory is in use */
    char *shm; /* a second one in memory, for MPI's shared segments; NULL: no /dev/shm */
    int shm_lock;
};

int scratch_create(struct scratch *s, struct err *e);
void scratch_remove(struct scratch *s);

#endif
