/*
 * serve_cores.h - the cores of a node that is not the head: those that a launch runs on, and the
 * timing lock of the node, which is taken when the head says so.
 */
#ifndef PROCTOR_SERVE_CORES_H
#define PROCTOR_SERVE_CORES_H

#include "measure/timing_lock.h"
#include "supervise/cores.h"
#include "supervise/node_message.h"

struct serve_cores {
    struct cores all;    /* of the allocation */
    struct cores widest; /* of the launches to come, the least busy ones */
    struct cores now;    /* of the current launch */
    struct timing_lock lock;
    char *run; /* owned; NULL: the lock is not open */
};

void serve_cores_open(struct serve_cores *c);
void serve_cores_close(struct serve_cores *c);

/* What NODE_LOCK asks for. */
void serve_cores_lock(struct serve_cores *c, const struct node_message *m);

/* For a launch with so many workers here: sets c->now. */
void serve_cores_choose(struct serve_cores *c, int workers);

#endif
