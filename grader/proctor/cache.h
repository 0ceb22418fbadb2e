/*
 * cache.h - where this node's record, and the libraries and results of the reference, are kept
 * between runs.
 *
 * In $PARAGRADE_CACHE, or else in $XDG_CACHE_HOME/paragrade, or else in ~/.cache/paragrade. An
 * empty PARAGRADE_CACHE means: nowhere. The name of a file depends on everything that its times
 * depend on. Drivers cannot write there (supervise/sandbox.h), nor read (node_policy.c).
 */
#ifndef PROCTOR_CACHE_H
#define PROCTOR_CACHE_H

#include "proctor/node_context.h"
#include "proctor/node_yardstick.h"

/* The directory; the caller frees it. NULL: nothing is kept. */
char *cache_directory(void);

/* One file for each node and its processor, microcode, Linux, cores, yardstick and baseline (as
 * built), and sizes. The caller frees the path, as below. NULL: nothing is kept. */
char *cache_record_path(const struct node_context *n, const struct node_yardstick *y);

/* One file for each node and its processor, microcode, Linux and cores, and type of elements. */
char *cache_ceilings_path(const struct node_context *n, const struct node_yardstick *y);

/* One file for each unit of the reference beside this yardstick, in runs with the same record, the
 * same assignment, profile and seed. */
char *cache_result_path(const struct node_context *n, const struct node_yardstick *y,
                        const struct unit *u);

/* One file for each tier of the reference as it is compiled here: for a processor, a command, its
 * compilers, the sources and the headers of this program. NULL also for a tier with a device, whose
 * code is for the GPU of the node. */
char *cache_library_path(const struct node_context *n, const struct tier *t);

#endif
