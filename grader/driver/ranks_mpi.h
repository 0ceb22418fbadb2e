/*
 * ranks_mpi.h - what this rank does while the kernel runs: how long it computes, how long it is in
 * MPI, and how many bytes it gives to MPI and takes from it.
 *
 * A rank that waits for a message keeps its core as busy as a rank that computes. Only from inside
 * the process can the two be distinguished. But student code can change everything in the driver as
 * soon as its library is loaded, so these numbers are for people, not for verdicts.
 */
#ifndef DRIVER_RANKS_MPI_H
#define DRIVER_RANKS_MPI_H

#include <mpi.h>

#include "abi/protocol.h"

/* Redirect the MPI calls of the library that contains this function, so that they are counted here.
 * comm: what the function will get. */
void ranks_watch(const void *function, MPI_Comm comm);

/* To be called before and after the kernel. */
void ranks_enter(void);
void ranks_leave(void);

/* What was counted since the last call of this function. Fills all fields but type and rank. */
void ranks_take(struct pg_rank *r);

/* The address of this rank's struct pg_waits. */
uint64_t ranks_waits(void);

#endif
