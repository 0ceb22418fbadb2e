/*
 * unit_lock.h - the timing locks of all nodes of a unit's launches: while it is checked, nothing is
 * timed on them, and while it is timed, they are quiet.
 *
 * Locks are given up before others are waited for, and taken in the order of the nodes' names. So
 * no two jobs on the same nodes wait for each other. The unit's limit does not run meanwhile.
 */
#ifndef PROCTOR_UNIT_LOCK_H
#define PROCTOR_UNIT_LOCK_H

#include "proctor/unit_job.h"
#include "proctor/unit_state.h"

/* `l`: a launch, or how many nodes and workers of a node there are at most. */
void unit_lock_share(const struct unit_job *job, struct unit_state *s, struct launch l);
void unit_lock_exclusive(const struct unit_job *job, struct unit_state *s, struct launch l);

/* Nothing is timed any more: the head's lock becomes a shared one, the others are given up. */
void unit_lock_end(const struct unit_job *job, struct launch l);

/* Of some launches, what unit_lock_exclusive() needs. */
struct launch unit_lock_widest(struct launch a, struct launch b);

#endif
