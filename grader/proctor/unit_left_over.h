/*
 * unit_left_over.h - is the size that a unit fails with no multiple of a width? One case fits
 * several widths, and the other cases tell which one is meant.
 */
#ifndef PROCTOR_UNIT_LEFT_OVER_H
#define PROCTOR_UNIT_LEFT_OVER_H

#include "model/result.h"
#include "proctor/unit_job.h"

/* Correct what is said of a width, by all cases under that launch; take it away if no width
 * explains them. True: it was changed, so that the message must be made again. */
bool unit_left_over_correct(const struct unit_job *job, const struct unit_result *r,
                            struct launch launch, struct mismatch *m);

/* A remark, if all cases together show a dimension and a width where wrong elements did not: in
 * sums and the like. */
void unit_left_over_remark(const struct unit_job *job, struct unit_result *r);

#endif
