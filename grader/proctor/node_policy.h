/* node_policy.h - what the sandboxes of a run require and withhold. */
#ifndef PROCTOR_NODE_POLICY_H
#define PROCTOR_NODE_POLICY_H

#include "proctor/node_context.h"

/* Student code must not read the run, the installed reference, and what the plan names: submissions
 * with the directories that hold them, the reference, the assignment with the files beside it. They
 * may lie where compilers read: below /opt or beside a toolchain. */
void node_policy_set(struct node_context *n);

#endif
