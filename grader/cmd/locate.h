/*
 * locate.h - what people name on the command line, found: the assignment; a run as a directory, or
 * by its name under reports/ or among the self-tests.
 */
#ifndef CMD_LOCATE_H
#define CMD_LOCATE_H

#include "base/err.h"
#include "rundir/run.h"

/* The assignment that is meant when none is named: PARAGRADE_ASSIGNMENT, else the only *.yaml in
 * ./testcases, else the only one of the installation. The caller frees *path. */
int locate_assignment(char **path, struct err *e);

/* Open a run; the caller closes it with run_close(). */
int locate_run(const char *name, struct run *r, struct err *e);

/* Where this user's self-tests lie; the caller frees it. */
char *locate_selftests(void);

#endif
