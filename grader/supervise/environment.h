/* environment.h - the clean environment of drivers and compilers. */
#ifndef SUPERVISE_ENVIRONMENT_H
#define SUPERVISE_ENVIRONMENT_H

#include <stdbool.h>

#include "model/assignment.h"
#include "model/cause.h"
#include "supervise/other_node.h"

struct environment {
    const char *scratch;   /* HOME and TMPDIR */
    const char *shm;       /* directory in memory for MPI's segments, or NULL */
    const char *socket;    /* path of the proctor's socket; NULL: for a compiler */
    const char *token;     /* that the driver must send there */
    struct launch launch;  /* sets the number of OpenMP threads; 0 ranks: for a compiler */
    int gpus;              /* that it sees; 0: as 1, because compilers ask it what to build for */
    int cores;             /* cores of the launch; threads are bound only if there are enough */
    bool own_threads;      /* nor if the program starts some without OpenMP */
    enum memory_fill fill; /* what malloc() returns */
    const char *calls;     /* of MPI are noted: PG_ENV_CALLS; or NULL */
    const char *late;      /* streams of a GPU: PG_ENV_LATE; or NULL */
    bool looking;          /* for mistakes: see enum looking */
    bool spread;           /* MPI: each rank gets what it has of the operands */
    const char *library;   /* on a node that is not the head: where the library lies; or NULL */
    const char *base;      /* the directory of the agent's socket and the file of hosts */
    const struct other_nodes *others; /* of a launch over several nodes, on the head; or NULL */
    const char *preload;              /* libraries to load before all others; NULL: none */
};

/* A new NULL-terminated vector: the above, and a short list of the proctor's own variables. Free it
 * with proc_argv_free(). */
char **environment_make(const struct environment *spec);

#endif
