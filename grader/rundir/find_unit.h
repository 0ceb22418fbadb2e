/* find_unit.h - which unit a person means: "carol.simd", "c d.simd", or "simd". */
#ifndef RUNDIR_FIND_UNIT_H
#define RUNDIR_FIND_UNIT_H

#include "base/err.h"
#include "rundir/run.h"

/* Index of the unit in the plan. The submission is found by find_submission(); it may be left out
 * where the run has one beside the reference. -1 with e: there is no such unit. */
int find_unit(const struct run *r, const char *text, struct err *e);

#endif
