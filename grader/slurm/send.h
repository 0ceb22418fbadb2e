/*
 * send.h - getting arrays into the queue.
 */
#ifndef SLURM_SEND_H
#define SLURM_SEND_H

#include "slurm/work.h"

/* Set arrays.max_array, unless it is known: ask Slurm, unless the assignment says. 1: told to stop.
 */
int send_learn_max_array(struct slurm_work *s, struct err *e);
/* One step forward. 1: there is nothing more to submit. */
int send_some(struct slurm_work *s, struct err *e);

#endif
