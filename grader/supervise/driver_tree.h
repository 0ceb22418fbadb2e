/*
 * driver_tree.h - are the processes of a driver where the proctor controls them? A launcher may
 * leave the start of its ranks to a daemon of a batch system, or to another node. Then no limit and
 * no halt reaches them, and the sandbox that the proctor made is not around them.
 */
#ifndef SUPERVISE_DRIVER_TREE_H
#define SUPERVISE_DRIVER_TREE_H

#include "supervise/driver_process.h"
#include "supervise/outcome.h"

/* Is the process that connected the driver's child, or below it? False with *o filled. */
bool driver_is_below(const struct driver_process *d, pid_t peer, struct outcome *o);

/* Fill d->ranks, if there is a launcher. *o is filled when fewer of them run the driver than ranks
 * were asked for. */
void driver_list_ranks(struct driver_process *d, struct outcome *o);

#endif
