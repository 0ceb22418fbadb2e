/* find_submission.h - whom a person means: by id, directory or name. */
#ifndef RUNDIR_FIND_SUBMISSION_H
#define RUNDIR_FIND_SUBMISSION_H

#include "base/err.h"
#include "rundir/plan.h"

/* Index of the submission in the plan; -1 with e: there is none, or the name is that of several. */
int find_submission(const struct plan *p, const char *text, struct err *e);

#endif
