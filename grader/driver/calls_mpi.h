/*
 * calls_mpi.h - the calls of MPI that ranks must make together, or whose messages another rank
 * takes: what each rank has asked for, so that the proctor can compare them. And what becomes of
 * the result if another operation or type stood in the program. Only in trials that look for the
 * cause of a failure (PG_ENV_CALLS); otherwise nothing is noted, and arguments stay as they are.
 */
#ifndef DRIVER_CALLS_MPI_H
#define DRIVER_CALLS_MPI_H

#include <mpi.h>
#include <stdbool.h>

#include "abi/protocol.h"

/* Note calls in this communicator, and in MPI_COMM_WORLD, from now on, if the environment says so.
 * A message that is too long does not end the process then, or its calls would be lost. Returns
 * where they are noted, or NULL. */
const struct pg_calls *calls_watch(MPI_Comm comm);

/* The function is called: forget what was noted. */
void calls_forget(void);

/* What is known of the next call. Each returns the bytes that it moves. */
uint64_t message(MPI_Comm c, int64_t sent, int64_t room, bool unasked);
uint64_t by_all(MPI_Comm c, int64_t bytes, MPI_Op op);
/* root: the rank that has counts, of n parts or the same one of each; -1: each has them. */
uint64_t parts(MPI_Comm c, int root, int64_t mine, const int *n, int each, MPI_Datatype type);
uint64_t unordered(void);
/* So many bytes go to `data` by the next call. Returns their number. */
int64_t into(void *data, int64_t bytes);

/* Note the call that begins, if something was said of it. */
void calls_note(const struct pg_waits *w);

/* What stands in for a call, by name, and for an argument. */
const char *as_call(const char *name);
MPI_Datatype as_type(MPI_Datatype type);
MPI_Op as_operation(MPI_Op op);
const int *as_places(MPI_Comm c, int root, const int *n, const int *at);
/* Memory of a message to a neighbour, or from it, if neighbours exchange messages of one length. */
const void *as_sent(const void *data, int n, MPI_Datatype type, int to, MPI_Comm c);
void *as_taken(void *data, int n, MPI_Datatype type, int from, MPI_Comm c);

#endif
