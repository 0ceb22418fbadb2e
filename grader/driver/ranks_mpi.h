/*
 * ranks_mpi.h - what this rank does while the kernel runs: how long it computes, how long it is in
 * MPI, how much it gives to MPI and takes from it.
 *
 * An idle rank that waits for a message keeps its core as busy as one that computes; only from
 * inside can the two be told apart. The driver is the student's as soon as his library is loaded,
 * so all of this is a remark.
 */
#ifndef DRIVER_RANKS_MPI_H
#define DRIVER_RANKS_MPI_H

#include "abi/protocol.h"

/* Let the calls of MPI in the library that holds this function pass through here. */
void ranks_watch(const void *function);

/* Around the kernel. */
void ranks_enter(void);
void ranks_leave(void);

/* What there was since the last call of this; all but type and rank. */
void ranks_take(struct pg_rank *r);

#endif
