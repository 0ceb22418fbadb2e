/*
 * outcome.h - what happened to a driver, as plain facts, and whose fault that is.
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
 * SIGKILL says nothing about who sent it: the kernel for want of memory on the node, an operator,
 * a batch system that clears away - or the student's own code, which may kill itself and may also
 * eat the node's memory faster than its limit is looked at. Neither the wait status nor anything
 * else that lasts tells these apart. So the first time a unit ends so, nobody is blamed and it runs
 * again, on another node where there is one; what ends so there, too, is the code's doing.
 */
struct doubt {
    int before; /* earlier attempts at this unit that were killed from nobody knows where */
    bool now;   /* this one was, and is to be repeated */
};

/* So many attempts may end so before it is held against the code. */
enum { DOUBTS_MOST = 1 };

enum outcome_kind {
    OUTCOME_OK,
    OUTCOME_NOT_STARTED,   /* the driver never said hello: nothing of the student's had run */
    OUTCOME_LOAD_FAILED,   /* text: what the dynamic linker said */
    OUTCOME_DRIVER_FAILED, /* the driver could not map the matrices */
    OUTCOME_DIED,
    OUTCOME_CASE_TIMEOUT,
    OUTCOME_UNIT_TIMEOUT,
    OUTCOME_MEMORY,
    OUTCOME_OUTPUT,
    OUTCOME_FILES,
    OUTCOME_PROCESSES,
    OUTCOME_PROTOCOL, /* something said on the driver's socket that the driver never says */
    OUTCOME_DEVICE,   /* the device refused or failed, as its library says */
    OUTCOME_STOPPED,  /* the proctor itself was told to end */
};

struct outcome {
    enum outcome_kind kind;
    int wait_status;     /* of the process that the proctor started */
    bool under_launcher; /* that process is mpirun, not the driver */
    bool has_fault;      /* a remark of the dying driver: only ever used to explain */
    struct pg_fault fault;
    struct pg_error error; /* with OUTCOME_DEVICE */
    uint64_t memory;       /* bytes, when it was noticed */
    int processes;
    int killed_before; /* struct doubt */
    char text[512];
};

/* Was it SIGKILL that ended it, with nothing known about the sender? Pure. */
bool outcome_is_kill(const struct outcome *o);
/* Is it too early to say whose doing that was? Pure. */
bool doubt_helps(int killed_before);

/* The verdict on an outcome other than OK, and one line for the student. Pure. */
enum verdict outcome_verdict(const struct outcome *o, const struct kernel *k,
                             const struct limits *limits, char *message, size_t cap);

#endif
