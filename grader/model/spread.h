/* spread.h - tiers in which each rank of MPI has operands. */
#ifndef MODEL_SPREAD_H
#define MODEL_SPREAD_H

#include "model/assignment.h"

/* Has the tier ranks, and a kernel with operands elsewhere than on rank 0 alone? (On devices, that
 * of rank 0 has all of them.) */
bool tier_is_spread(const struct tier *t);

#endif
