/*
 * node_yardstick.h - one yardstick of this node: built, started, and calibrated.
 */
#ifndef PROCTOR_NODE_YARDSTICK_H
#define PROCTOR_NODE_YARDSTICK_H

#include <stdbool.h>

#include "base/err.h"
#include "measure/harness.h"
#include "model/assignment.h"

struct node_context;

/* Do not move it: the harness points into it. */
struct node_yardstick {
    const char *tier;     /* of the reference; borrowed from the assignment; NULL: it is not open */
    bool calibrated;      /* the node's record exists, and the harness knows it */
    struct limits limits; /* the assignment's, but with no limit on memory */
    char *program;        /* of the driver; owned */
    char *library;        /* owned; NULL: it has not been started */
    char *check, *maker;  /* libraries of the check of the exercise, and of its values; owned */
    char *answers_program, *answers; /* driver and library of the trusted source; owned. NULL: not
                                        started, or not needed */
    char *cached; /* file of the record between runs; owned. NULL: nothing is kept */
    struct harness harness;
};

/* Make the harness of a tier's yardstick. The scratch directory of the context must exist. 0, or -1
 * with nothing to close. */
int node_yardstick_open(struct node_yardstick *y, struct node_context *n, const char *tier,
                        struct err *e);
/* Build the yardstick and start it, if that has not been done. After a failure, close it. */
int node_yardstick_start(struct node_yardstick *y, struct node_context *n, struct err *e);
/* The same, and make sure that the node's record exists. After a failure, close the yardstick: its
 * driver may be lost. */
int node_yardstick_calibrate(struct node_yardstick *y, struct node_context *n, struct err *e);
void node_yardstick_close(struct node_yardstick *y);

#endif
