/*
 * cached_reference.h - self-tests need not measure the reference again and again.
 *
 * Rules with `metric: fraction` compare a unit with the reference's own, which takes as long. The
 * reference's speed relative to the yardstick stays the same on a node, so a self-test uses the
 * result of an earlier one (cache.h). A result with an unconfirmed time is used for an hour. A
 * class run never uses one: all of its units are measured in the same run.
 */
#ifndef PROCTOR_CACHED_REFERENCE_H
#define PROCTOR_CACHED_REFERENCE_H

#include "model/result.h"
#include "proctor/node_context.h"

/* The result of this unit in an earlier self-test; the caller frees it. NULL: there is none, or the
 * unit is not the reference's. */
struct unit_result *cached_reference_find(struct node_context *n, const struct unit *u);

/* Keep the result for later self-tests, if the unit passed. */
void cached_reference_keep(struct node_context *n, const struct unit *u,
                           const struct unit_result *r);

#endif
