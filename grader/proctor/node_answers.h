/* node_answers.h - the trusted source of a kernel in a file: built and started on this node. */
#ifndef PROCTOR_NODE_ANSWERS_H
#define PROCTOR_NODE_ANSWERS_H

#include "base/err.h"
#include "proctor/node_yardstick.h"

/* Give the harness of a yardstick its source of right answers, if the kernel is in a file and that
 * has not been done. The scratch directory of the context must exist. 0, or -1. */
int node_answers_start(struct node_yardstick *y, struct node_context *n, struct err *e);

/* What took the place of the trusted source. */
struct mistaken_answers {
    char *library, *program;
    struct answers trusted;
};

/* Let the source of the i-th mistake give the answers of the harness; it is built if need be. Call
 * node_answers_trust_again() in any case. 0, or -1. */
int node_answers_mistake(const struct node_context *n, struct harness *h, int i,
                         struct mistaken_answers *m, struct err *e);
void node_answers_trust_again(struct harness *h, struct mistaken_answers *m);

#endif
