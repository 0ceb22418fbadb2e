/*
 * locate.h - find what the command line names: the assignment; a run, by its directory or by its
 * name under reports/ or among the self-tests.
 */
#ifndef CMD_LOCATE_H
#define CMD_LOCATE_H

#include "base/err.h"
#include "rundir/run.h"

/* The default assignment: the one that PARAGRADE_ASSIGNMENT names, else the only YAML file in
 * testcases/ here or in a directory above, else the only one of the installation. The caller frees
 * *path. */
int locate_assignment(char **path, struct err *e);

/* Open a run. The caller closes it with run_close(). */
int locate_run(const char *name, struct run *r, struct err *e);

/* What commands that are typed here may call the run in a directory: its name, if that leads to it;
 * otherwise its path. Quoted for the shell where it must be. The caller frees the string. */
char *locate_run_name(const char *dir);

/* The directory of this user's self-tests. The caller frees the string. */
char *locate_selftests(void);
/* Where a self-test of that name would be, for the caller to free. NULL: the name is a path, or the
 * directory is not this user's alone: whoever made it could have put runs of their own there. */
char *locate_selftest(const char *name);
/* So many of them are kept there; `paragrade check` removes older ones. */
enum { LOCATE_SELFTESTS_KEPT = 10 };

#endif
