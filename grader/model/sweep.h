/*
 * sweep.h - parameter sweeps: a tier built with every combination of the values of its macros, and
 * measured at each of its launches and sizes.
 *
 * A sweep is a tier. It has the sources, commands and requirements of the tier that it varies,
 * axes, and its own launches and sizes. In a run of sweeps they replace the tiers. The tiers stay
 * in the assignment, because the yardstick is one of them.
 */
#ifndef MODEL_SWEEP_H
#define MODEL_SWEEP_H

#include "model/assignment.h"

enum { SWEEP_POINTS_MOST = 512 };

/* Append the sweeps to the tiers of the assignment. The other tiers have no sizes afterwards. */
void sweep_take_over(struct assignment *a);

/* The number of combinations of macro values; 1 without axes. The last axis varies fastest. */
unsigned sweep_points(const struct tier *t);
int sweep_value(const struct tier *t, unsigned point, unsigned axis);
/* "TILE=8 UNROLL=4", or "" without axes. The caller frees it. */
char *sweep_point_text(const struct tier *t, unsigned point);
/* "-DTILE=8", "-DUNROLL=4", NULL; to be freed with proc_argv_free(). */
char **sweep_defines(const struct tier *t, unsigned point);

#endif
