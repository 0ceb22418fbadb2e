/*
 * driver.h - the untrusted side: a process that loads one student library and calls its kernel
 * when told to. main.c speaks the protocol, arena.c maps matrices, launch_*.c start and call.
 *
 * A driver is one of launch_*.c linked with the rest, and with host_memory.c where the kernel works
 * on the mapped matrices themselves. It owns nothing worth protecting: no clock,
 * no expected value, no verdict.
 */
#ifndef DRIVER_DRIVER_H
#define DRIVER_DRIVER_H

#include <stdbool.h>
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
    unsigned inputs;
    enum pg_memory memory;
    struct { /* the mappings, the output's last */
        unsigned char *base;
        size_t bytes;
    } area[PG_MAX_INPUTS + 1];
};

/* --- what a launch kind provides (launch_*.c) ----------------------------------------------- */

/* Before anything else. Returns 1 in the process that talks to the proctor (rank 0), 0 in one
 * that follows it, -1 on failure. */
int launch_init(int *argc, char ***argv);
/* Give up system calls (filter_enter()), in every process. True: it worked in all of them. */
bool launch_confine(void);
/* After that: load the library and find the kernel, in every process. 0 with the device in text (""
 * without one), or -1 with the reason. */
int launch_load(const char *library, const char *symbol, char *text, size_t cap);
/* Call the kernel reps times, on matrix 0, 1, ... of p; all work is finished on return. Returns
 * the seconds by the device's events, negative where there are none. */
double launch_run(const struct problem *p, unsigned reps);
/* Hand to send, rank by rank, what was done since the last call of this. (ranks_none.c where there
 * is only one.) */
void launch_tell_ranks(void (*send)(const struct pg_rank *));
/* The life of a process that follows: returns when the leader ends. */
void launch_follow(void);
/* In the leader, once, after the proctor hung up. */
void launch_end(void);

/* --- memory of a device: host_memory.c, launch_cuda.c, launch_openacc.c --------------------- */

/* Mirror the mappings of a case on the device, replacing those of the one before. 0, or -1 with
 * text. */
int device_mirror(const struct problem *p, char *text, size_t cap);
/* Do what PG_WAKE asks for: the device executes something of this process. */
void device_wake(void);
/* Give up the mirrors; before the mappings change. */
void device_release(void);
/* Take the mask off the mirrored inputs, before whatever launch_run() does next. */
void device_unmask(const struct problem *p, struct pg_key key);
/* The seconds that this took, after launch_run(). */
double device_unmask_seconds(void);
/* Copy what one of PG_POISON, PG_UPLOAD, PG_DOWNLOAD asks for; finished on return. */
void device_copy(const struct problem *p, enum pg_step step);
/* The first failure of the device since the last call: 1 with name and text, else 0. */
int device_failed(struct pg_error *e);
/* Name and measured ceilings; 0, or -1 where there is no device. */
int device_describe(struct pg_device *d);

/* --- profile_*.c ---------------------------------------------------------------------------- */

/* Observe what the device does from here on. 0, or -1 where nothing can be observed. */
int profile_start(void);
/* Stop, and hand each row to send. */
void profile_stop(void (*send)(const struct pg_profile_row *));

/* --- arena.c -------------------------------------------------------------------------------- */

/* Map what a CASE describes, replacing the mapping of the one before; takes over (closes) the
 * descriptors. 0, or -1 with text. */
int arena_map(const struct pg_case *c, const int *fds, struct problem *p, char *text, size_t cap);
/* Which area an address belongs to; async-signal-safe. */
void arena_locate(uint64_t address, struct pg_fault *f);

/* --- filter.c ------------------------------------------------------------------------------- */

/* Who keeps what: a device's runtime writes to the device's files; MPI's keeps files and other
 * ranks' memory; a kernel alone on the host needs none of these. */
enum filter_kind { FILTER_DEVICE, FILTER_MPI, FILTER_HOST };

/* The ranks of this node. */
struct filter_peers {
    const int *pid;
    int count;
};

/* Give up all system calls that kernels have no use for; peers: of FILTER_MPI, else NULL. False,
 * with a note on stderr, where that is not possible: the proctor decides what that means. */
bool filter_enter(enum filter_kind kind, const struct filter_peers *peers);

/* --- library.c ------------------------------------------------------------------------------ */

/* dlopen and dlsym; NULL with text on failure. */
void *library_symbol(const char *library, const char *symbol, char *text, size_t cap);

#endif
