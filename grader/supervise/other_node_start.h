/* other_node_start.h - the nodes of the job, and starting a proctor on each other one. */
#ifndef SUPERVISE_OTHER_NODE_START_H
#define SUPERVISE_OTHER_NODE_START_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"
#include "supervise/other_node.h"
#include "supervise/sandbox.h"

/* Is there a job with so many nodes? Where there is none, a launch over nodes can only be checked,
 * on this one. */
bool other_nodes_possible(int nodes);

/* The names of the job's nodes: is there a job with so many? 0, or -1: e says what there is. */
int other_nodes_find(struct other_nodes *all, int nodes, struct err *e);

/* Start the proctors of the first `nodes` - 1 other nodes, where they do not run yet. */
int other_nodes_start(struct other_nodes *all, int nodes, const struct sandbox_policy *policy,
                      struct err *e);
void other_nodes_close(struct other_nodes *all);

/* Is the process an srun of theirs, or below one? */
bool other_nodes_own(const struct other_nodes *all, pid_t pid);

#endif
