/*
 * node_times.h - what a run says about its nodes: the times of the reference, and those of the
 * yardsticks beside every unit. Pure.
 */
#ifndef HISTORY_NODE_TIMES_H
#define HISTORY_NODE_TIMES_H

#include <stddef.h>

#include "rundir/results.h"

enum { NODE_TIME_TEXT = 160 };

/* One time on one node. Texts belong to the run and its results. */
struct node_time {
    const char *node;
    char tier[NODE_TIME_TEXT]; /* of the reference; "yardstick simd": of a yardstick beside units */
    char launch[NODE_TIME_TEXT];
    char size[NODE_TIME_TEXT];
    const char *at; /* UTC */
    /* Of one call: the lower quartile of the times as the clock showed them. It is not corrected
     * for what the yardstick did, because a slow node must be seen. */
    double seconds;
    const struct node_record *record; /* NULL: there is none */
    const char *compiler, *source;    /* the first line of --version; the digest of the source */
};

/* All times of a run; the caller frees *out. A sweep has none. */
size_t node_times_of(const struct run *r, const struct results *res, struct node_time **out);

#endif
