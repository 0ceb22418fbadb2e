/*
 * share.h - how many units the next array of a group gets, and how many elements share them. Pure.
 */
#ifndef SLURM_SHARE_H
#define SLURM_SHARE_H

#include "slurm/array.h"
#include "slurm/groups.h"

struct share_limits {
    long at_a_time; /* elements of the group that run */
    long most;      /* elements that the array may have */
};

/* The next array of a group of which `taken` units, but not all, are in earlier arrays. It has more
 * elements than may run at a time, since those that have no time left are replaced. With fewer
 * elements than wanted, the array gets fewer units, and the rest goes into further arrays. The
 * arrays share the limit of what runs at a time by their numbers of units, so that all together
 * keep it. */
struct slurm_share share_next(const struct slurm_group *g, unsigned taken,
                              const struct share_limits *limits);

#endif
