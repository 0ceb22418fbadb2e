/*
 * rescore.h - plan a run again with another assignment that only says anew what results are worth.
 */
#ifndef PLAN_RESCORE_H
#define PLAN_RESCORE_H

#include "base/err.h"
#include "base/strbuf.h"
#include "rundir/run.h"

/* Make a draft (rundir/revision.h) of the run with this assignment file; NULL: the one that the run
 * was planned from, or the copy in the run if it is gone. An assignment with which units would run
 * differently is refused; the error names the field. overrides: a file
 * that takes the place of the one that the plan names, or NULL. `notes` names what is gone. The
 * caller frees *draft. */
int rescore_make(const struct run *old, const char *assignment, const char *overrides, char **draft,
                 struct strbuf *notes, struct err *e);

#endif
