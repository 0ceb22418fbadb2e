/* node_answers.h - the trusted source of a kernel in a file: built and started on this node. */
#ifndef PROCTOR_NODE_ANSWERS_H
#define PROCTOR_NODE_ANSWERS_H

#include "base/err.h"
#include "proctor/node_yardstick.h"

/* Give the harness of a yardstick its source of right answers, if the kernel is in a file and that
 * has not been done. The scratch directory of the context must exist. 0, or -1. */
int node_answers_start(struct node_yardstick *y, struct node_context *n, struct err *e);

/* The library of the i-th mistake of the kernel file, which is built if need be. The caller frees
 * *library. 0, or -1. */
int node_answers_mistake(const struct node_context *n, int i, char **library, struct err *e);

#endif
