/*
 * unit_separation.h - what all cases that fail have in common, and one wrong result does not show:
 * a size, a number that the function gets, threads or ranks, or a factor of results that are one
 * number.
 */
#ifndef PROCTOR_UNIT_SEPARATION_H
#define PROCTOR_UNIT_SEPARATION_H

#include "model/result.h"
#include "proctor/unit_job.h"

/* Add a remark, if that is no chance. */
void unit_separation_remark(const struct unit_job *job, struct unit_result *r);

#endif
