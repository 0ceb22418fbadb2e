/*
 * node.h - what this node is, what it can do at most, and how fast the baseline is on it:
 * measured by the first proctor of a run on the node, read by all others.
 */
#ifndef PROCTOR_NODE_H
#define PROCTOR_NODE_H

#include "base/err.h"
#include "model/result.h"
#include "proctor/quiet.h"
#include "proctor/stand.h"

/* The name under which this node's record and results are kept: Slurm's name for it, else the
 * host name. The caller frees it. */
char *node_key(void);

/* Make sure that RUN/nodes/<key>.json exists. baseline_library: the built baseline. Proctors of
 * the same node take turns, so that it is measured once. */
int node_ensure(const char *run, const char *key, struct stand *stand, struct quiet *quiet,
                const struct case_list *cases, const char *baseline_library, struct err *e);

#endif
