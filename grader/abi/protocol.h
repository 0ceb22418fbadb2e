/*
 * protocol.h - the messages between proctor and driver.
 *
 * They use one SOCK_SEQPACKET Unix socket. Every message is one packet, which starts with its type.
 * The proctor trusts nothing that arrives: a driver can only make itself fail. In particular, times
 * that a driver sends are information for people only.
 *
 *   driver                         proctor
 *   HELLO token             ->
 *                           <-     CONFINE
 *   CONFINED                ->           (nothing of the student's is in the process yet)
 *                           <-     LOAD library, symbol
 *   READY | FAILED          ->
 *                           <-     DESCRIBE (of the yardstick's driver only)
 *   DEVICE                  ->
 *                           <-     CASE sizes + file descriptors of inputs and output (before, to
 *                                       each other rank where operands are on all ranks)
 *   READY | FAILED          ->
 *                           <-     GO steps (the clock starts)
 *   COMPUTED                ->           (by a device only: the clock stops, C is copied back)
 *   PROFILE | RANK ...      ->           (rows, where the steps ask for them)
 *   DONE | ERROR            ->           (the clock stops; the driver is halted; C is read)
 *   FAULT (then death)      ->
 *                           <-     end of file: the driver ends
 *
 * A CASE maps every matrix anew between two guard areas. The matrix is at the end of its mapping:
 *
 *   | PROT_NONE | slack | element 0 ... last | <64 bytes | PROT_NONE |
 *
 * A driver for a device with its own memory keeps a mirror image of each mapping there, slack
 * included. It gets masked inputs (mask.h). POISON copies the output to the device, UPLOAD copies
 * the inputs, DOWNLOAD copies the output back. So after a download the proctor also sees what is
 * around C on the device. UNMASK removes the mask from the images of the inputs, with the key that
 * comes with GO.
 *
 * There are `sets` matrices of each input, and an output for each problem. Problem r has set r of
 * each input, but another one of the last input (pairs.h), which follows from the pairing that
 * comes with the GO that starts the clock: whoever computes earlier, or several problems in one
 * call, does not know which matrices belong together. (Without pairing, it has set r, too.) On a
 * device there may be more problems than sets, and the mask comes off before the clock starts; but
 * if outputs are changed in place, with the GO that starts it.
 */
#ifndef PARAGRADE_PROTOCOL_H
#define PARAGRADE_PROTOCOL_H

#include <stdint.h>

#include "abi/mask.h"

enum {
    PG_VERSION = 27,
    PG_MAX_DIMS = 4,
    PG_MAX_INPUTS = 24,
    PG_MAX_OUTPUTS = 8,
    PG_MAX_ARGUMENTS = PG_MAX_DIMS + PG_MAX_INPUTS + PG_MAX_OUTPUTS,
    PG_OUTPUT_ALIGN = 512,
    PG_OUTPUT_ABSENT = INT32_MAX,
    PG_TOKEN = 32,
    PG_GUARD = 1 << 16,
    PG_PLACES = 32,
    PG_RANKS_TOLD = 64,
    PG_OPERATIONS_TOLD = 4,
    PG_CALLS_TOLD = 64,
    PG_PARTS_TOLD = 8
};

/* The device in a READY if an offloading runtime found no device and computes on the host. */
#define PG_HOST_FALLBACK "host"

/* Environment of a driver. */
#define PG_ENV_SOCKET "PARAGRADE_SOCKET" /* path of the proctor's socket */
#define PG_ENV_TOKEN "PARAGRADE_TOKEN"   /* to be repeated in HELLO */
#define PG_ENV_AGENT "PARAGRADE_AGENT"   /* path of the proctor's socket for the launcher's agent */
#define PG_AGENT_MOST 65536              /* bytes that it may ask with */
#define PG_ENV_SPREAD "PARAGRADE_SPREAD" /* is there if all ranks get operands, and connect */
#define PG_ENV_SHM "PARAGRADE_SHM"       /* directory in memory, of this node */
#define PG_ENV_NODES "PARAGRADE_NODES"   /* is there if the ranks are on several nodes */
#define PG_ENV_WATCH "PARAGRADE_WATCH"   /* is there if ranks look for misuse: it takes time */
#define PG_ENV_CALLS "PARAGRADE_CALLS"   /* "FROM TO" if they also note calls: see pg_calls */
#define PG_ENV_LATE "PARAGRADE_LATE"     /* streams whose work begins late: see late_streams.c */
#define PG_LATE_GIVEN "given"            /* that of the kernel; PG_LATE_OTHERS: all others */
#define PG_LATE_OTHERS "others"
#define PG_ENV_GPUS "PARAGRADE_GPUS" /* how many it must see, if there are several */
#define PG_ENV_LIBRARY                                                                             \
    "PARAGRADE_LIBRARY" /* where the library is, on a node that is not the head */

enum pg_type {
    PG_HELLO = 1,
    PG_LOAD,
    PG_READY,
    PG_FAILED,
    PG_CASE,
    PG_GO,
    PG_DONE,
    PG_FAULT,
    PG_ERROR,
    PG_DESCRIBE,
    PG_DEVICE,
    PG_PROFILE_ROW,
    PG_RANK,
    PG_CONFINE,
    PG_CONFINED,
    PG_COMPUTED,
};

/* What a GO asks for, in the order of execution. Drivers for the host only get COMPUTE, and those
 * with ranks also RANKS. */
enum pg_step {
    PG_WAKE = 16, /* untimed: let the device change to this process */
    PG_POISON = 1,
    PG_UPLOAD = 2,
    PG_UNMASK = 128, /* the inputs on the device */
    PG_COMPUTE = 4,
    PG_DOWNLOAD = 8,
    PG_RANKS = 64,   /* send what each rank has done since it was last asked */
    PG_PROFILE = 32, /* not a step of its own: record what the others but UNMASK consist of, and
                         send it */
};

/* In which direction floating-point arithmetic rounds. */
enum pg_rounding { PG_NEAREST, PG_UPWARD, PG_DOWNWARD };

enum pg_memory {
    PG_MEMORY_DEVICE, /* matrices in the device's own memory */
    PG_MEMORY_MAPPED, /* in memory of the host that is mapped into the address space of the device
                       */
};

struct pg_hello {
    uint32_t type;
    uint32_t version;
    int32_t rank; /* 0: it talks to the proctor. Others only get their CASE */
    char token[PG_TOKEN + 1];
};

struct pg_confine {
    uint32_t type;
};

/* What a rank does at the moment, in its own memory: the proctor looks at it when nothing happens
 * any more. For people, not for verdicts. */
enum pg_state { PG_RETURNED, PG_COMPUTES, PG_WAITS };

struct pg_peers {
    int32_t to, from, root;   /* ranks of the call's communicator; -1 and below: none */
    int32_t to_tag, from_tag; /* of the message; -1 and below: none, or any */
};

/* An operation that does not block, of a call that waits for some. */
struct pg_operation {
    uint64_t bytes;
    int32_t to, from, tag; /* as in struct pg_peers */
};

/* What MPI forbids, and does not notice itself. */
enum pg_misuse {
    PG_MISUSE_NONE,
    PG_SENT_CHANGED, /* memory of a message has changed before its operation ended */
    PG_PARTS_OVERLAP /* parts that come from two ranks have elements in common */
};

/* The first misuse that a rank has seen. */
struct pg_misused {
    uint32_t kind;    /* enum pg_misuse */
    int32_t to, tag;  /* of the message */
    int32_t rank[2];  /* of the parts */
    int64_t from[2];  /* their first elements */
    int64_t until[2]; /* and those after their last ones */
    char call[32];    /* "MPI_Isend" */
};

struct pg_waits {
    uint64_t calls; /* that have begun, and returns */
    uint64_t bytes; /* of the last call */
    int64_t open;   /* operations that do not block: begun since the kernel was called, not ended */
    uint32_t state; /* enum pg_state */
    uint32_t any_source;     /* 1: it has asked for a message from any rank */
    uint32_t own_operations; /* 1: it has given MPI functions of its own to call */
    struct pg_peers peers;
    struct pg_misused misused;
    uint32_t operations; /* that the call waits for, as far as they are known */
    struct pg_operation operation[PG_OPERATIONS_TOLD];
    char call[32];  /* "MPI_Send" */
    uint64_t noted; /* address of its struct pg_calls; 0: it notes none */
};

/* Names of MPI in PG_ENV_CALLS, one of which is to stand in for another, and the use of each.
 * PACKED stands in for SPACED: each part follows the one before it; EXSCAN for SCAN: MPI_Exscan()
 * is called. */
enum pg_name {
    PG_NAME_NONE,
#define OP(name) PG_MPI_##name,
#define TYPE(name, element) PG_MPI_##name,
#include "abi/mpi_names.def"
#undef OP
#undef TYPE
    PG_SPACED,
    PG_PACKED,
    PG_SCAN,
    PG_EXSCAN,
    PG_UNSET,
    PG_SENT,
    PG_TAKEN,
    PG_NAMES
};

/* In place of SENT, or TAKEN: what goes to the rank before, or comes from it, is so many messages
 * further on in memory, and that of the rank after: -1, 0 or 1. */
#define PG_SHIFT(before, after) ((unsigned)(3 * ((before) + 1) + (after) + 1))

#define PG_CALL(rank, number) ((unsigned)(rank)*PG_CALLS_TOLD + (unsigned)(number))
#define PG_FILLED 254 /* what malloc() fills memory with in trials, if not with zeros */

/* Every rank makes it, with as many bytes; every rank makes it, with parts of its own. */
enum pg_call_kind { PG_MESSAGE, PG_TOGETHER, PG_IN_PARTS };

/* A call that other ranks must make as well, or whose messages they send or take. Numbers of bytes
 * are -1 where there are none, or nothing is known. */
struct pg_call {
    char name[32];     /* "MPI_Bcast" */
    uint32_t kind;     /* enum pg_call_kind */
    int32_t world;     /* 1: in MPI_COMM_WORLD; 0: in the communicator that the function gets */
    int32_t operation; /* enum pg_name */
    int32_t unasked;   /* 1: the receiver does not ask how much has come */
    struct pg_peers peers;
    int64_t bytes;               /* that this rank sends, or has in common with the others */
    int64_t room;                /* for the message that it takes */
    int64_t rest;                /* bytes behind what it takes that were never set */
    int64_t part[PG_PARTS_TOLD]; /* that this rank gives to each rank, or takes from it */
};

/* The calls of a rank since the function was called, the first ones. Names that stand in for others
 * are those of the program here. */
struct pg_calls {
    uint64_t used;      /* 1 << enum pg_name */
    uint32_t unordered; /* 1: messages cannot be told apart by sender, tag and order */
    uint32_t count;
    struct pg_call call[PG_CALLS_TOLD];
};

struct pg_confined {
    uint32_t type;
    uint32_t filtered; /* 1: every process of the driver has given up system calls */
    uint32_t ranks;    /* that follow; 0 with one process */
    struct {
        int32_t pid;
        uint64_t waits; /* address of its struct pg_waits */
    } rank[PG_RANKS_TOLD];
};

struct pg_load {
    uint32_t type;
    char library[1024];
    char symbol[64];
};

struct pg_status { /* READY, FAILED */
    uint32_t type;
    char text[512]; /* READY after LOAD: the device that will compute, "" for the host's cores */
};

/* One matrix of `reps` equally shaped ones, back to back in one file. Offset and stride are
 * multiples of 64, or of 512 for a device. */
struct pg_area {
    uint64_t file_offset; /* where in the file the mapping starts, a multiple of the page size */
    uint64_t map_bytes;   /* of the file to map, a multiple of the page size */
    uint64_t offset;      /* of the first matrix in the mapping */
    uint64_t stride;      /* from one matrix to the next */
    uint64_t bytes;       /* of one matrix */
};

/* What an argument of the function is. */
enum pg_argument {
    PG_DIMENSION = 0, /* + i: dimension i, an int */
    PG_WIDE = 32,     /* + i: dimension i, an int64_t */
    PG_OPERAND = 64,  /* + i: a pointer to input i, or its value; from the number of inputs on, to
                         an output */
};

/* What the function returns: nothing, or its first output, which is one number then. A kernel of a
 * device gets a pointer to the output as its last argument instead. The outputs of a problem are
 * one block of the output's file. */
enum pg_result {
    PG_RESULT_NONE,
    PG_RESULT_I8,
    PG_RESULT_U8,
    PG_RESULT_I16,
    PG_RESULT_U16,
    PG_RESULT_I32,
    PG_RESULT_U32,
    PG_RESULT_I64,
    PG_RESULT_U64,
    PG_RESULT_F32,
    PG_RESULT_F64,
    PG_RESULT_C64, /* complex: not of a number by value */
    PG_RESULT_C128,
};

/* How the function is called. All members are 32-bit integers. */
struct pg_form {
    uint32_t dims;
    int32_t dim[PG_MAX_DIMS];
    uint32_t inputs;
    uint32_t arguments;
    uint32_t argument[PG_MAX_ARGUMENTS]; /* enum pg_argument */
    uint32_t result;                     /* enum pg_result */
    uint32_t value[PG_MAX_INPUTS];       /* enum pg_result: of an input that is passed by value */
    uint32_t outputs;
    uint32_t output_at[PG_MAX_OUTPUTS]; /* in the block, in units of PG_OUTPUT_ALIGN bytes.
                                           PG_OUTPUT_ABSENT: NULL */
    /* 1 + the input that has its values before the call; 0: it is not changed in place. On the host
     * the output has them already. On a device the driver copies them when the mask is off. */
    uint32_t initial[PG_MAX_OUTPUTS];
};

struct pg_case {
    uint32_t type;
    struct pg_form form;
    uint32_t memory; /* enum pg_memory */
    uint32_t spread; /* 1: each rank gets a CASE of its own, with what it has of the operands */
    /* An input without bytes to map is NULL. */
    struct pg_area in[PG_MAX_INPUTS];
    struct pg_area out;
    /* with SCM_RIGHTS: one descriptor per input, then the output's */
};

struct pg_go {
    uint32_t type;
    uint32_t reps;     /* problems; 0: an empty call, to measure the harness */
    uint32_t rounds;   /* how often all of them are computed; above 1 for the yardstick only */
    uint32_t steps;    /* enum pg_step */
    uint32_t sets;     /* with COMPUTE: of inputs */
    uint32_t pairing;  /* with COMPUTE: random, see pairs.h */
    uint32_t rounding; /* with COMPUTE: enum pg_rounding; the trusted source's driver gets others */
    uint32_t unused;   /* 0: else the driver would get four bytes of the proctor's memory */
    uint64_t sequence;
    struct pg_key key; /* with UNMASK */
};

struct pg_done { /* COMPUTED, when DOWNLOAD follows; DONE */
    uint32_t type;
    uint64_t sequence;
    double device_seconds; /* of COMPUTE, by the events of the device; negative: it has none */
    uint32_t unordered;    /* DONE: calls whose output was not finished in the given stream */
};

struct pg_error { /* the device refused or failed; the driver cannot be used any more */
    uint32_t type;
    char name[64];  /* "cudaErrorIllegalAddress" */
    char text[256]; /* the device library's own words */
    char when[64];  /* "computing", "copying A and B to the device" */
};

/* The types of elements, for ceilings of arithmetic. */
enum pg_element { PG_I32, PG_F32, PG_F64, PG_ELEMENTS };

struct pg_describe {
    uint32_t type;
};

struct pg_device {
    uint32_t type;
    char name[128];
    int32_t processors; /* multiprocessors */
    /* Measured; 10^9 operations/s, where a multiply-add is two. 0: unknown, or there is none. */
    double gops[PG_ELEMENTS]; /* multiply-adds of each type */
    double tensor_gops;       /* products of tiles of doubles, on tensor cores */
    double copy_gbs;          /* measured: copy within its memory, 10^9 bytes/s read and written */
    uint64_t cache_bytes;     /* of the cache that all of them share; 0: unknown */
};

enum pg_activity { PG_API, PG_KERNEL, PG_COPY };

struct pg_profile_row {
    uint32_t type;
    int32_t activity; /* enum pg_activity */
    char name[200];
    uint64_t calls;
    uint64_t total_ns, min_ns, max_ns;
    double median_ns, stddev_ns; /* stddev_ns: 0 for one call */
    /* of kernels; 0 otherwise */
    uint32_t registers;     /* per thread */
    uint32_t shared_bytes;  /* per block, static and dynamic */
    uint32_t block_threads; /* of the largest launch */
    uint64_t grid_blocks;
    double occupancy; /* resident warps over the multiprocessor's most, 0..1 */
};

struct pg_rank { /* of all computing since it was last asked: for people, not for verdicts */
    uint32_t type;
    int32_t rank;
    double kernel_seconds; /* from the call of the kernel to its return */
    double mpi_seconds;    /* of these: in calls of MPI, moving data or waiting */
    uint64_t bytes;        /* given to MPI or taken from it */
    uint32_t shared;       /* 1: it has made a window of shared memory */
};

enum pg_side { PG_ELSEWHERE, PG_BEFORE, PG_INSIDE, PG_AFTER };

struct pg_fault {
    uint32_t type;
    int32_t signal;
    int32_t area;  /* 0..inputs-1: input, inputs: output; -1: none of them */
    int32_t side;  /* enum pg_side */
    int32_t write; /* 1 write, 0 read, -1 unknown */
    int32_t stack; /* 1: right at or above the stack pointer, where the stack should be */
    /* The address is unknown, and the instruction needs a multiple of so many bytes. */
    int32_t aligned;
    uint64_t address; /* UINT64_MAX: unknown */
    /* Bytes of stack that were needed and that there are. 0: unknown, as in all threads but the
     * first. */
    uint64_t stack_needed, stack_most;
    /* In the student's library, addresses as in the file: of the instruction, if it is there, then
     * of calls, the last one first. UINT64_MAX: no more are known. */
    uint64_t place[PG_PLACES];
};

/* A rank other than 0 prints this, its struct pg_fault in hexadecimal digits, and the end of the
 * line. */
#define PG_RANK_FAULT "paragrade: a rank crashed: "

#endif
