/* environment.h - the clean environment of drivers and compilers. */
#ifndef SUPERVISE_ENVIRONMENT_H
#define SUPERVISE_ENVIRONMENT_H

#include "model/assignment.h"

struct environment {
    const char *scratch; /* HOME and TMPDIR */
    const char *shm;     /* directory in memory for MPI's segments, or NULL */
    const char *socket;  /* of the proctor, and the token to show there; NULL: not a driver */
    const char *token;
    struct launch launch; /* sets OpenMP's threads; 0 ranks: not a launch */
    int cores;            /* that the launch may use: decides whether threads are bound */
};

/* A fresh NULL-terminated vector: the above and a short list of variables passed through. Free
 * with proc_argv_free(). */
char **environment_make(const struct environment *spec);

#endif
