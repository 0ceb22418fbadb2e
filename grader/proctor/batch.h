/*
 * batch.h - the units of one element of a job array: it takes one after the other, as long as its
 * job has the time (rundir/claim.h).
 */
#ifndef PROCTOR_BATCH_H
#define PROCTOR_BATCH_H

#include <stdint.h>

#include "proctor/node_context.h"

struct batch {
    const char *file; /* the record of the array */
    long task;        /* index of the element */
    uint64_t started; /* the job: CLOCK_MONOTONIC ns */
    /* Runs a unit, whose attempt has started. Returns an exit status, 0 if there is a result.
     * *verdict, if there is one. */
    int (*run)(void *arg, const struct unit *u, const char *tag, const char **verdict);
    void *arg;
};

/* Exit status: the worst of the units, or that of bad usage with e. */
int batch_run(struct node_context *n, const struct batch *b, struct err *e);

#endif
