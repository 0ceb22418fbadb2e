/*
 * driver.h - the untrusted side: a process that loads one student library and calls its kernel when
 * the proctor says so. main.c speaks the protocol, arena.c maps matrices, launch_*.c start, and
 * call.c calls.
 *
 * A driver is one of launch_*.c, linked with the rest. host_memory.c is linked as well where the
 * kernel works on the mapped matrices themselves. A driver has nothing that needs protection: no
 * clock, no expected value, no verdict.
 */
#ifndef DRIVER_DRIVER_H
#define DRIVER_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/protocol.h"

/* The matrices of a case, as they are mapped in this process. */
struct problem {
    struct pg_form form;
    const unsigned char *in[PG_MAX_INPUTS];
    uint64_t in_stride[PG_MAX_INPUTS], in_bytes[PG_MAX_INPUTS]; /* of one input */
    unsigned char *out;
    uint64_t out_stride;
    uint64_t out_bytes; /* of one output */
    unsigned inputs;
    unsigned sets;     /* of inputs */
    uint32_t pairing;  /* of the last input: see abi/pairs.h */
    struct pg_key key; /* of the mask, when it is known */
    enum pg_memory memory;
    bool profiled; /* the driver starts no kernels of its own between calls */
    struct {       /* the mappings of the inputs, then that of the output */
        unsigned char *base;
        size_t bytes;
    } area[PG_MAX_INPUTS + 1];
};

/* --- what a launch kind provides (launch_*.c) ----------------------------------------------- */

/* Start the runtime. It is called before all others. Returns 1 in the process that talks to the
 * proctor (rank 0), 0 in a process that follows it, -1 on failure. */
int launch_init(int *argc, char ***argv);
/* Give up system calls with filter_enter(), in every process. True if it worked in all of them. */
bool launch_confine(void);
/* Fill in the ranks, after launch_confine(). (With one process: ranks_none.c.) */
void launch_list_ranks(struct pg_confined *c);
/* Load the library and find the kernel, in every process. It is called after launch_confine(). 0
 * with the name of the device in text ("" if there is none), or -1 with the reason. */
int launch_load(const char *library, const char *symbol, char *text, size_t cap);
/* Let each other process map the case that it gets. here: this one has mapped its own. False if
 * some have not, with the reason in text, unless it is there. (With one process: ranks_none.c.) */
bool launch_map_ranks(bool here, char *text, size_t cap);
/* Call the kernel reps times, on problem 0, 1, ... of p. All work is finished on return. Returns
 * the seconds by the events of the device, or a negative number if it has none. */
double launch_run(const struct problem *p, unsigned reps);
/* Call `send` for each rank, with what it has done since the last call of this function. (With one
 * process: ranks_none.c.) */
void launch_tell_ranks(void (*send)(const struct pg_rank *));
/* What a process that follows does. Returns when the leader ends. */
void launch_follow(void);
/* End the runtime. It is called once, in the leader, after the proctor has closed the connection.
 */
void launch_end(void);

/* --- memory of a device: host_memory.c, gpu_*.c, launch_openacc.c ---------------------------- */

/* Make a mirror image of each mapping of a case on the device, and free those of the case before.
 * 0, or -1 with the reason in text. */
int device_mirror(const struct problem *p, char *text, size_t cap);
/* Do what PG_WAKE asks for: let the device execute something of this process. */
void device_wake(void);
/* Free the mirror images. It is called before the mappings change. */
void device_release(void);
/* Remove the mask (p->key) from the mirror images of the inputs, and copy the initial values of
 * `reps` problems that are changed in place. On the device this happens before the next kernel.
 * wait: it is finished on return. */
void device_unmask(const struct problem *p, unsigned reps, bool wait);
/* Copy what PG_POISON, PG_UPLOAD or PG_DOWNLOAD asks for. The copy is finished on return. */
void device_copy(const struct problem *p, enum pg_step step);
/* After a run: of the calls that were looked at, those whose output changed after the work in the
 * given stream was done. */
unsigned device_unordered(void);
/* The first failure of the device since the last call of this function: 1 with name and text, or 0
 * if there was none. */
int device_failed(struct pg_error *e);
/* Name and measured ceilings of the device. 0, or -1 if there is none. */
int device_describe(struct pg_device *d);

/* --- profile_*.c ---------------------------------------------------------------------------- */

/* Record what the device does from now on. 0, or -1 if it cannot be recorded. */
int profile_start(void);
/* While it records: record nothing from profile_pause() until profile_resume(). Kernels that are
 * launched in between are finished when the second one returns. */
void profile_pause(void);
void profile_resume(void);
/* Stop, and call `send` for each row. */
void profile_stop(void (*send)(const struct pg_profile_row *));

/* --- alignment.c ---------------------------------------------------------------------------- */

/* Of how many bytes must the address be a multiple that the instruction at `code` (x86-64) reads or
 * writes? 0: of none. Reads no more than the instruction. Async-signal-safe. */
int alignment_needed(const unsigned char *code);

/* --- arena.c -------------------------------------------------------------------------------- */

/* Map what a CASE describes, and remove the mappings of the case before. It closes the descriptors.
 * 0, or -1 with the reason in text. */
int arena_map(const struct pg_case *c, const int *fds, struct problem *p, char *text, size_t cap);
/* Find the area of an address. Async-signal-safe. */
void arena_locate(uint64_t address, struct pg_fault *f);

/* --- filter.c ------------------------------------------------------------------------------- */

/* Which runtime the filter is for. The runtime of a device writes to the files of the device. MPI
 * writes files and reads memory of other ranks. A single process on the host needs none of these.
 */
enum filter_kind { FILTER_DEVICE, FILTER_MPI, FILTER_MPI_DEVICE, FILTER_HOST };

/* The processes of all ranks on this node. */
struct filter_peers {
    const int *pid;
    int count;
    bool elsewhere; /* others run on other nodes: all ranks are connected, and no process may be
                       connected with anything else */
};

/* Give up all system calls that kernels do not need. peers: with MPI, else NULL. False, with
 * a message on stderr, if that is not possible: the proctor decides what follows. */
bool filter_enter(enum filter_kind kind, const struct filter_peers *peers);

/* --- library.c ------------------------------------------------------------------------------ */

/* dlopen() and dlsym(). NULL, with the reason in text, on failure. */
void *library_symbol(const char *library, const char *symbol, char *text, size_t cap);
/* Where in the library a fault happened, as addresses in its file: of the instruction, if it is
 * there, and of the library's last calls that the stack shows. UINT64_MAX: no more are known.
 * Async-signal-safe. */
void library_places(uint64_t instruction, uint64_t stack_pointer, uint64_t place[PG_PLACES]);

#endif
