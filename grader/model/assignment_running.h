/*
 * assignment_running.h - what of an assignment file decides how units are run: everything but the
 * fields that only say what results are worth, or where jobs go. Two files that agree in it give
 * the same samples, but for their number.
 */
#ifndef MODEL_ASSIGNMENT_RUNNING_H
#define MODEL_ASSIGNMENT_RUNNING_H

#include <jansson.h>

#include "base/err.h"

/* Read it: fields by name, `tiers` by the name of the tier. profile: the one in use, or "". The
 * caller decrefs *out. */
int assignment_running_load(const char *path, const char *profile, json_t **out, struct err *e);

/* The first field in which two differ, "performance.sizes", without regard to `tiers`. NULL: none.
 * The caller frees it. */
char *assignment_running_differs(const json_t *was, const json_t *is);
/* The same for the fields of one tier: "tiers.simd.compile". */
char *assignment_running_tier_differs(const json_t *was, const json_t *is, const char *tier);

#endif
