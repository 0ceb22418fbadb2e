/*
 * driver_waits.h - what the ranks of a driver wait for, when nothing happens any more. Ranks keep
 * this in their own memory (abi/protocol.h), where student code can change it: it is for people,
 * and no verdict depends on it.
 */
#ifndef SUPERVISE_DRIVER_WAITS_H
#define SUPERVISE_DRIVER_WAITS_H

#include "supervise/driver_process.h"

/* "rank 0 is in MPI_Send to rank 1 (4000 bytes), rank 1 computes", for some of the ranks; "" if
 * there are none, or nothing can be read. */
void driver_waits_text(const struct driver_process *d, char *out, size_t cap);

/* A number that changes whenever a rank begins a call of MPI or returns, if all ranks are in calls
 * of MPI or have returned, and some are in calls. Otherwise 0: some rank computes, or it is not
 * known. */
uint64_t driver_waits_stamp(const struct driver_process *d);

/* Bytes of the calls that ranks are in. True if code of the student may run inside of them. */
bool driver_waits_move(const struct driver_process *d, uint64_t *bytes);

/* Has a rank returned from the kernel while operations ran that it had begun? */
bool driver_waits_left(const struct driver_process *d);

/* Has a rank asked for a message from any other? */
bool driver_waits_any_source(const struct driver_process *d);

/* What a rank has seen that MPI forbids. False: nothing, or the driver was not told to look for it
 * (environment.h). */
bool driver_waits_misuse(const struct driver_process *d, char *out, size_t cap);
/* The words for it; "" for none. Pure. */
void driver_waits_misused(const struct pg_misused *m, int rank, char *out, size_t cap);

/* What rank i does. False when its process is gone, or is none of the driver's. */
bool driver_waits_look(const struct driver_process *d, unsigned i, struct pg_waits *w);

/* Is this the name of a call? A student's process tells it: nothing else may be printed. */
bool driver_waits_is_call(const char *name, size_t cap);

/* The words for one rank. Pure. */
void driver_waits_rank(const struct pg_waits *w, int rank, char *out, size_t cap);

#endif
