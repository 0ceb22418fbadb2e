/*
 * outcome.h - what happened to a driver, as plain facts, and the pure part of fault attribution:
 * the verdict that follows from these facts. proctor/fault.h does the rest, which needs to ask the
 * device.
 */
#ifndef SUPERVISE_OUTCOME_H
#define SUPERVISE_OUTCOME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/protocol.h"
#include "kernel/kernel.h"
#include "model/assignment.h"
#include "model/verdict.h"

/*
 * An unexplained end. SIGKILL does not say who sent it. It may be the kernel because the node is
 * out of memory, an operator, a batch system that cleans up, or the student's own code: without the
 * filter of system calls code can kill itself, and it can use up the node's memory faster than the
 * proctor checks the limit. So unless both are ruled out, the first time a unit ends like this
 * nobody is at fault, and the unit runs again, on another node where there is one. When it ends
 * like this again, the fault is the code's.
 *
 * A driver that cannot be halted because its threads wait in the kernel is another such end. A file
 * server may not answer, or the code reads a large file that it has itself thrown out of the cache.
 *
 * So is a driver that does not start after an earlier one of the unit has: code that ran there may
 * have used up what the node has of something, and so may others. Or MPI's own daemon crashes on
 * another node: a rank that sends it what is no message can bring that about.
 *
 * So is, over several nodes, a rank that MPI or the kernel ends because it has lost another one:
 * that may have been killed from outside, or the network failed.
 *
 * So is an error of the device that is the node's fault, as long as it is the student's process
 * that reports it: the error may be made up.
 */
struct unexplained_end {
    int before; /* earlier attempts at this unit that ended so */
    bool now;   /* this attempt ended so, and the unit is to run again */
};

/* The number of attempts at a unit that may end so before the fault is the code's. */
enum { UNEXPLAINED_ENDS_RETRIED = 1 };

/* Of a message. Whether such an access fails depends on where malloc() puts memory: no trial tells
 * more. */
#define OUTCOME_MISALIGNED "an aligned vector access to an address"

enum outcome_kind {
    OUTCOME_OK,
    OUTCOME_NOT_STARTED,   /* the driver did not say hello: no student code has run */
    OUTCOME_LOAD_FAILED,   /* the library cannot be loaded; text: the dynamic linker's message */
    OUTCOME_DRIVER_FAILED, /* the driver could not map the matrices */
    OUTCOME_DIED,
    OUTCOME_CASE_TIMEOUT,
    OUTCOME_UNIT_TIMEOUT,
    OUTCOME_MEMORY,
    OUTCOME_OUTPUT,
    OUTCOME_FILES,
    OUTCOME_PROCESSES,
    OUTCOME_PROTOCOL, /* a message on the driver's socket that no driver sends */
    OUTCOME_STUCK,    /* it cannot be halted: its threads wait in the kernel */
    OUTCOME_STARVED,  /* it cannot be halted: its threads get no core to stop on */
    OUTCOME_DEVICE,   /* the driver reports an error of its device */
    OUTCOME_STOPPED,  /* the proctor itself was told to end */
};

struct outcome {
    enum outcome_kind kind;
    int wait_status;     /* of the process that the proctor started, with OUTCOME_DIED */
    bool under_launcher; /* that process is mpirun, not the driver */
    bool threads;        /* it was launched with several */
    bool several_nodes;  /* ranks run on several nodes */
    bool has_fault;      /* the dying driver sent `fault`, which explains an OUTCOME_DIED */
    bool other_rank;     /* that of a rank other than 0 */
    struct pg_fault fault;
    struct pg_error error; /* with OUTCOME_DEVICE */
    uint64_t memory;       /* bytes in use when OUTCOME_MEMORY was noticed */
    uint64_t cpu_limit;    /* seconds that a process may use on this machine; 0: no limit */
    double cpu_used; /* seconds of the process that the proctor started, and of its children */
    uint64_t node_memory_peak; /* when the kernel ended processes because memory ran out: bytes of
                                  these at most, if that is within their limit; else 0 */
    bool sigkill_is_foreign;   /* with OUTCOME_DIED: neither the code nor its use of memory can have
                                  brought a SIGKILL about */
    int processes;             /* when OUTCOME_PROCESSES was noticed */
    int processes_most;        /* that were allowed then */
    int unexplained_before;    /* struct unexplained_end */
    bool code_ran;             /* the unit's, on this node, before this in the attempt, and it may
                                  be the reason */
    bool elsewhere;       /* OUTCOME_NOT_STARTED: another node or the way to it failed, and no code
                             of the unit can bring that about */
    uint64_t deadlock_ns; /* with OUTCOME_CASE_TIMEOUT, before the limit: how long ranks waited for
                             each other alone; else 0 */
    char waits[500];      /* what the ranks waited for, with OUTCOME_CASE_TIMEOUT */
    char text[512];
};

/* Set the kind and the text, formatted as by printf. */
void outcome_set(struct outcome *o, enum outcome_kind kind, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* The name of the error when a runtime without a device computes on the host. */
#define DEVICE_FALLBACK "fallback to the host"

/* Set OUTCOME_DEVICE with the members of `error`, which are cut to fit. */
void outcome_set_device(struct outcome *o, const char *name, const char *text, const char *when);

/* True for an error of the device that is the node's fault, if the driver tells the truth. Pure. */
bool outcome_is_node_device(const struct outcome *o);

/* True when SIGKILL has ended the driver or, as mpirun says, a rank. Pure. */
bool outcome_is_sigkill(const struct outcome *o);

/* True when the end is unexplained: a SIGKILL of which nobody knows who sent it, a wait in the
 * kernel, a driver that does not start any more, a rank that lost another one on other nodes, or an
 * error of the device that is the node's fault. Pure. */
bool outcome_is_unexplained(const struct outcome *o);

/* True when a unit runs again after an unexplained end, given the number of earlier ones. Pure. */
bool unexplained_end_is_retried(int before);

/* The verdict on an outcome other than OK. `message`, of `cap` bytes, receives one line for the
 * student. Pure. */
enum verdict outcome_verdict(const struct outcome *o, const struct kernel *k,
                             const struct limits *limits, char *message, size_t cap);

#endif
