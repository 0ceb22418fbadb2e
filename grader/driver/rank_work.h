/* rank_work.h - what a rank of launch_mpi.c works on: the mapped matrices (rank_host.c), or GPUs
 * (launch_mpi_cuda.c). All functions are for every rank. */
#ifndef DRIVER_RANK_WORK_H
#define DRIVER_RANK_WORK_H

#include <mpi.h>

#include "driver/call.h"

/* Start another runtime, after MPI. False, with a message on stderr, on failure. */
bool rank_begin(MPI_Comm all);

/* The filter that it needs. */
enum filter_kind rank_filter(void);

/* The name of what computes: "" for cores. */
void rank_name(char *text, size_t cap);

/* Prepare a call with these operands; NULL: this rank has none. `world` is the kernel's. */
void rank_prepare(struct call *c, const struct pg_form *f, const struct problem *p,
                  const MPI_Comm *world);

/* A number that is passed by value to problem r, in its first bytes. p: of rank 0. */
uint64_t rank_value(const struct problem *p, uint32_t input, unsigned r);

/* Call the kernel, and wait until this rank is done. Returns the seconds by the events of the
 * device, or a negative number. */
double rank_compute(struct call *c, void *kernel, const struct problem *p, unsigned reps);

/* Wait until all ranks are done; what failed anywhere is known at rank 0 then. */
void rank_end(MPI_Comm all);

/* PG_WAKE, for this rank. */
void rank_wake(void);

#endif
