/*
 * overrides.h - what a person decided instead of the grader: points of a unit or of a submission,
 * or a later deadline, each with its reason. RUN/overrides.csv is a copy of the file beside the
 * roster.
 */
#ifndef RUNDIR_OVERRIDES_H
#define RUNDIR_OVERRIDES_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "model/assignment.h"
#include "rundir/plan.h"

enum override_kind {
    OVERRIDE_POINTS,   /* it has these points */
    OVERRIDE_DELTA,    /* so many more, or fewer */
    OVERRIDE_DEADLINE, /* of a submission */
};

struct override {
    int submission; /* index in the plan */
    int unit;       /* index in the plan; -1: the whole submission */
    enum override_kind kind;
    double value;     /* points */
    int64_t deadline; /* seconds since 1970, UTC */
    char *reason;
};

struct overrides {
    struct override *item;
    size_t count;
};

/* Read a CSV file with the columns student, tier, points, delta, deadline, reason, and find the
 * students and tiers in the plan. Refused, with file and line: who or what is not in the run; not
 * exactly one of points, delta and deadline; no reason; the same kind twice for one unit. To be
 * freed with overrides_free(), after an error, too. */
int overrides_load(const char *path, const struct plan *p, const struct assignment *a,
                   struct overrides *out, struct err *e);
void overrides_free(struct overrides *o);

/* The override of this kind for a unit, or with unit -1 for a submission; NULL: there is none. */
const struct override *overrides_find(const struct overrides *o, int submission, int unit,
                                      enum override_kind kind);

#endif
