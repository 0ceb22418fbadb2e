/*
 * driver.h - the untrusted side: a process that loads one student library and calls its kernel
 * when told to. main.c speaks the protocol, arena.c maps matrices, launch_*.c start and call.
 *
 * A driver is one of launch_*.c linked with the rest. It owns nothing worth protecting: no clock,
 * no expected value, no verdict.
 */
#ifndef DRIVER_DRIVER_H
#define DRIVER_DRIVER_H

#include <stddef.h>
#include <stdint.h>

#include "abi/protocol.h"

/* The matrices of a case as mapped here. */
struct problem {
    int m, n, k;
    const unsigned char *in[PG_MAX_INPUTS];
    uint64_t in_stride[PG_MAX_INPUTS];
    unsigned char *out;
    uint64_t out_stride;
};

/* --- what a launch kind provides (launch_*.c) ----------------------------------------------- */

/* Before anything else. Returns 1 in the process that talks to the proctor (rank 0), 0 in one
 * that follows it, -1 on failure. */
int launch_init(int *argc, char ***argv);
/* Load the library and find the kernel, in every process. 0, or -1 with text. */
int launch_load(const char *library, const char *symbol, char *text, size_t cap);
/* Call the kernel reps times, on matrix 0, 1, ... of p; all work is finished on return. */
void launch_run(const struct problem *p, unsigned reps);
/* The life of a process that follows: returns when the leader ends. */
void launch_follow(void);
/* In the leader, once, after the proctor hung up. */
void launch_end(void);

/* --- arena.c -------------------------------------------------------------------------------- */

/* Map what a CASE describes, replacing the mapping of the one before; takes over (closes) the
 * descriptors. 0, or -1 with text. */
int arena_map(const struct pg_case *c, const int *fds, struct problem *p, char *text, size_t cap);
/* Which area an address belongs to; async-signal-safe. */
void arena_locate(uint64_t address, struct pg_fault *f);

/* --- filter.c ------------------------------------------------------------------------------- */

/* Who gives up what: a device's runtime writes to the device's files; MPI's keeps sockets, files
 * and other ranks' memory; a kernel alone on the host needs none of these. */
enum filter_kind { FILTER_DEVICE, FILTER_MPI, FILTER_HOST };

/* Give up system calls that kernels have no use for. A kernel (Linux) without seccomp is noted on
 * stderr, not held against anybody. */
void filter_enter(int kind);

/* --- library.c ------------------------------------------------------------------------------ */

/* dlopen and dlsym; NULL with text on failure. */
void *library_symbol(const char *library, const char *symbol, char *text, size_t cap);

#endif
