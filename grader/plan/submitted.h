/*
 * submitted.h - when submissions were handed in: by submitted.csv in the directory that they lie
 * in, and by the times of their files.
 *
 *     submission,submitted
 *     mw12,2026-11-30T21:14:05+01:00
 *
 * Times are those of base/instant.h. Further columns, and submissions that are not there, do not
 * matter. An empty time is not known.
 */
#ifndef PLAN_SUBMITTED_H
#define PLAN_SUBMITTED_H

#include "base/csv.h"
#include "base/err.h"
#include "rundir/plan.h"

/* The file that was read last: submissions mostly lie in one directory. */
struct submitted {
    char *path;
    struct csv_table table;
    int name, time; /* columns */
};

/* Set the times of a submission whose directory is s->path. `copy`: the directory with the files
 * that were taken. */
int submitted_find(struct submitted *l, struct submission *s, const char *copy, struct err *e);
void submitted_free(struct submitted *l);

#endif
