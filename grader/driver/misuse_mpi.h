/*
 * misuse_mpi.h - what MPI forbids, and does not notice: memory of a message that changes before it
 * is sent, and parts of several ranks in the same place. It takes time to find that, so a rank
 * looks for it only where its environment says so. Like ranks_mpi.h, this is for people, not for
 * verdicts.
 */
#ifndef DRIVER_MISUSE_MPI_H
#define DRIVER_MISUSE_MPI_H

#include <mpi.h>

#include "abi/protocol.h"

/* Look for misuse from now on, if the environment has PG_ENV_WATCH. Without it, all other functions
 * do nothing. */
void misuse_watch(void);

/* The next operation that begins sends `bytes` of this type from `data`. as: what to tell, if they
 * change before it has ended. */
void misuse_lend(const void *data, uint64_t bytes, MPI_Datatype type, const struct pg_misused *as);

/* A call is given n requests, or NULL: have messages changed that they send? Before the call.
 * Here and below, the first misuse goes to *m. */
void misuse_ask(const MPI_Request *r, int n, struct pg_misused *m);
/* After it. opened: the operation that it has begun, or NULL. */
void misuse_answered(const MPI_Request *opened);

/* Where a call puts what comes from each rank. */
struct misuse_parts {
    const char *call; /* "MPI_Gatherv" */
    int root;         /* only this rank gets parts; -1: each one does */
    const int *count, *at;
    MPI_Datatype type;
};

void misuse_place(const struct misuse_parts *p, MPI_Comm comm, struct pg_misused *m);

#endif
