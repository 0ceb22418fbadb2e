/* overrides_copy.h - take the file of overrides into a run. */
#ifndef PLAN_OVERRIDES_COPY_H
#define PLAN_OVERRIDES_COPY_H

#include "base/err.h"
#include "base/strbuf.h"
#include "model/assignment.h"
#include "rundir/plan.h"

/* The file of overrides that belongs to a roster: overrides.csv beside it. NULL without a roster.
 * The caller frees it. */
char *overrides_beside(const char *roster);

/* Check p->overrides_path against the plan and copy it to the run directory `dir`. When the file is
 * not there, `kept` takes its place: the copy in the run so far, or NULL. Neither: nothing.
 * `notes` says so; without `kept`, it may be NULL. */
int overrides_copy(const struct plan *p, const struct assignment *a, const char *kept,
                   const char *dir, struct strbuf *notes, struct err *e);

#endif
