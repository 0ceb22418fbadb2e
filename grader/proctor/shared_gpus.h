/*
 * shared_gpus.h - launches of ranks with a GPU each where there are fewer GPUs. They do not run:
 * libraries such as NCCL refuse that ranks share a GPU, and nobody would be to blame.
 */
#ifndef PROCTOR_SHARED_GPUS_H
#define PROCTOR_SHARED_GPUS_H

#include "model/assignment.h"

bool launch_shares_gpus(const struct tier *t, struct launch l);
/* The reason why no launch of the tier can run; NULL: one can. Free it. */
char *tier_lacks_gpus(const struct tier *t);

#endif
