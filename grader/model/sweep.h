/*
 * sweep.h - parameter sweeps: a tier built with every combination of the values of its macros, and
 * measured at each of its launch shapes and sizes.
 *
 * A sweep is a tier: it has the sources, commands and requirements of the tier it is over, axes,
 * and its own launches and sizes. In a run that sweeps, sweeps take the place of the tiers, of
 * which the yardstick is still needed.
 */
#ifndef MODEL_SWEEP_H
#define MODEL_SWEEP_H

#include "model/assignment.h"

enum { SWEEP_POINTS_MOST = 512 };

/* Make the sweeps tiers of the assignment, behind the others, which have no sizes from here on. */
void sweep_take_over(struct assignment *a);

/* Combinations of macro values; the last axis varies fastest. 1 without axes. */
unsigned sweep_points(const struct tier *t);
int sweep_value(const struct tier *t, unsigned point, unsigned axis);
/* "TILE=8 UNROLL=4", "" without axes. The caller frees it. */
char *sweep_point_text(const struct tier *t, unsigned point);
/* "-DTILE=8", "-DUNROLL=4", NULL; to be freed with proc_argv_free(). */
char **sweep_defines(const struct tier *t, unsigned point);

#endif
