/*
 * nodes.h - the nodes of a partition that can run jobs.
 */
#ifndef SLURM_NODES_H
#define SLURM_NODES_H

#include <stddef.h>

#include "base/err.h"
#include "slurm/call.h"

/* Of what `sinfo --Node --format=%N|%T|%P` prints: the nodes of the partition (NULL: the default
 * one) that are not down, drained or the like. Sorted; the caller frees them with texts_free().
 * *all receives the number of its nodes in any state. */
void slurm_parse_nodes(const char *text, const char *partition, char ***nodes, size_t *count,
                       size_t *all);

/* Ask for them. -1 with e: no answer, no such partition, or no usable node. */
int slurm_usable_nodes(const char *partition, char ***nodes, size_t *count, struct err *e);

#endif
