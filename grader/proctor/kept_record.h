/*
 * kept_record.h - where the record of this node is kept between runs.
 *
 * In $PARAGRADE_CACHE, or else in $XDG_CACHE_HOME/paragrade, or else in ~/.cache/paragrade. An
 * empty PARAGRADE_CACHE means: nowhere. One file for each node and everything that its times depend
 * on: processor, microcode, kernel, cores, yardstick and baseline (as built), and sizes. Drivers
 * cannot write there (supervise/sandbox.h).
 */
#ifndef PROCTOR_KEPT_RECORD_H
#define PROCTOR_KEPT_RECORD_H

#include "proctor/node_context.h"
#include "proctor/node_yardstick.h"

/* reference: id of the reference among the submissions of the run. The caller frees the path. NULL:
 * no record is kept. */
char *kept_record_path(const struct node_context *n, const struct node_yardstick *y,
                       const char *reference);

#endif
