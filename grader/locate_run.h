/* locate_run.h - a run as people name it: a directory, or its name under reports/ or among the
 * self-tests. */
#ifndef GRADER_LOCATE_RUN_H
#define GRADER_LOCATE_RUN_H

#include "base/err.h"
#include "run.h"

/* Open it; the caller closes it with run_close(). */
int locate_run(const char *name, struct run *r, struct err *e);

/* Where this user's self-tests lie; the caller frees it. */
char *locate_selftests(void);

#endif
