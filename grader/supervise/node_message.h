/*
 * node_message.h - what the proctor of the head node and the proctor of another node tell each
 * other, over one TCP connection. The head asks, the other one answers each question once. Both are
 * the same program on the same kind of machine: structures travel as they are in memory.
 */
#ifndef SUPERVISE_NODE_MESSAGE_H
#define SUPERVISE_NODE_MESSAGE_H

#include <stddef.h>
#include <stdint.h>

#include "model/assignment.h"
#include "model/cause.h"

/* Random digits that the other proctor repeats. */
enum { NODE_TOKEN = 32, NODE_BYTES_MOST = 256 << 20 };

/* Raise it with each change of a message. */
enum { NODE_VERSION = 3 };

enum node_question {
    NODE_POLICY = 1, /* struct node_policy, paths */
    NODE_LIBRARY,    /* the bytes of the library */
    NODE_SPAWN,      /* struct node_spawn, the command of the launcher for a shell */
    NODE_RANKS,      /* all ranks have started: list, pin */
    NODE_HALT,
    NODE_RESUME,
    NODE_STATE, /* has a limit ended it? */
    NODE_LOCK,  /* struct node_lock, the directory of the run */
    NODE_END,
    NODE_ANSWER
};

struct node_policy {
    uint32_t required; /* set of enum protection */
    uint32_t paths;    /* that no sandbox may read; each ends with a 0 */
};

enum node_lock_how { NODE_LOCK_NONE, NODE_LOCK_SHARED, NODE_LOCK_EXCLUSIVE };

/* What was held there is given up first. measure/timing_lock.h */
struct node_lock {
    uint32_t how;
    uint32_t quiet;    /* other proctors are excluded at all */
    uint32_t only_own; /* those of this run alone */
    int32_t workers;   /* the most on a node: where they run is chosen now */
};

struct node_spawn {
    enum launch_kind kind;
    struct launch launch; /* of all nodes */
    struct limits limits;
    enum memory_fill fill;
    uint32_t of_grader; /* there is no student's library */
};

struct node_hello {
    uint32_t version;
    char token[NODE_TOKEN + 1];
};

struct node_answer {
    uint32_t outcome;                  /* enum outcome_kind */
    uint32_t protections;              /* NODE_RANKS */
    uint32_t perhaps_code;             /* OUTCOME_NOT_STARTED: the ranks may be the reason */
    uint64_t cpu_ns;                   /* NODE_HALT: of all ranks since the last NODE_RESUME */
    uint64_t awake_ns;                 /* NODE_HALT: since the last NODE_RESUME */
    uint64_t memory;                   /* with OUTCOME_MEMORY */
    int32_t processes, processes_most; /* with OUTCOME_PROCESSES */
    char text[512];
};

/* One message. *bytes is a copy, for the caller to free. */
struct node_message {
    uint32_t type;
    uint32_t size;
    unsigned char *bytes;
};

/* 0; -1: the connection is gone. The parts follow each other. */
int node_send(int fd, enum node_question type, const void *first, size_t first_size,
              const void *second, size_t second_size);

/* The next message, until `deadline` (CLOCK_MONOTONIC ns). 0; -1: the connection is gone, or
 * nothing came in time. */
int node_receive(int fd, struct node_message *m, uint64_t deadline);

/* Answers come at once. */
void node_connection_set(int fd);

#endif
