/*
 * protocol.h - what proctor and driver say to each other.
 *
 * One SOCK_SEQPACKET Unix socket; every message is one packet that starts with its type. The
 * proctor trusts nothing that arrives: a driver can only make itself fail. In particular no time
 * ever travels from driver to proctor except as a remark.
 *
 *   driver                         proctor
 *   HELLO token             ->
 *                           <-     LOAD library, symbol
 *   READY | FAILED          ->
 *                           <-     CASE sizes + file descriptors of inputs and output
 *   READY | FAILED          ->
 *                           <-     GO    (the clock starts)
 *   DONE                    ->           (the clock stops; the driver is halted; C is read)
 *   FAULT (then death)      ->
 *                           <-     end of file: the driver ends
 *
 * A CASE maps every matrix afresh between two guard areas, flush with the end of its mapping:
 *
 *   | PROT_NONE | slack | element 0 ... last | <64 bytes | PROT_NONE |
 */
#ifndef PARAGRADE_PROTOCOL_H
#define PARAGRADE_PROTOCOL_H

#include <stdint.h>

enum { PG_VERSION = 1, PG_MAX_INPUTS = 4, PG_TOKEN = 32, PG_GUARD = 1 << 16 };

/* Environment of a driver. */
#define PG_ENV_SOCKET "PARAGRADE_SOCKET" /* path of the proctor's socket */
#define PG_ENV_TOKEN "PARAGRADE_TOKEN"   /* to be repeated in HELLO */

enum pg_type {
    PG_HELLO = 1,
    PG_LOAD,
    PG_READY,
    PG_FAILED,
    PG_CASE,
    PG_GO,
    PG_DONE,
    PG_FAULT,
};

struct pg_hello {
    uint32_t type;
    uint32_t version;
    char token[PG_TOKEN + 1];
};

struct pg_load {
    uint32_t type;
    char library[1024];
    char symbol[64];
};

struct pg_status { /* READY, FAILED */
    uint32_t type;
    char text[512];
};

/* One matrix of `reps` equally shaped ones, back to back in one file. */
struct pg_area {
    uint64_t map_bytes; /* of the file to map, a multiple of the page size */
    uint64_t offset;    /* of the first matrix in the mapping; a multiple of 64 */
    uint64_t stride;    /* from one matrix to the next; a multiple of 64 */
};

struct pg_case {
    uint32_t type;
    int32_t m, n, k;
    uint32_t reps; /* 0: an empty call, to measure the harness */
    uint32_t inputs;
    struct pg_area in[PG_MAX_INPUTS];
    struct pg_area out;
    /* with SCM_RIGHTS: one descriptor per input, then the output's */
};

struct pg_go {
    uint32_t type;
    uint32_t reps;   /* problems, at most the case's */
    uint32_t rounds; /* how often all of them are computed; more than 1 for the yardstick only */
    uint64_t sequence;
};

struct pg_done {
    uint32_t type;
    uint64_t sequence;
};

enum pg_side { PG_ELSEWHERE, PG_BEFORE, PG_INSIDE, PG_AFTER };

struct pg_fault {
    uint32_t type;
    int32_t signal;
    int32_t area;     /* 0..inputs-1: input, inputs: output; -1: none of them */
    int32_t side;     /* enum pg_side */
    int32_t write;    /* 1 write, 0 read, -1 unknown */
    uint64_t address; /* UINT64_MAX: unknown */
};

#endif
