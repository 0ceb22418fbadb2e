/*
 * node_lacks.h - can the units of a tier be built and run on this node?
 */
#ifndef PROCTOR_NODE_LACKS_H
#define PROCTOR_NODE_LACKS_H

#include "model/assignment.h"

/* What the node lacks, as one line, which the caller frees; NULL: nothing. */
char *node_lacks_to_build(const struct tier *t); /* also where there is no driver for the tier */
char *node_lacks_to_run(const struct tier *t);   /* the same, and then what is needed to run */

#endif
