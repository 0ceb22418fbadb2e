/* locate.h - shared files in an installation (share/paragrade) or in the source tree around a
 * build; and paths as people see them. */
#ifndef GRADER_LOCATE_H
#define GRADER_LOCATE_H

#include "base/err.h"

/* "sbatch/unit.sbatch" or "testcases" -> absolute path, or NULL; the caller frees it. */
char *locate_share(const char *part);

/* The assignment that is meant when none is named: PARAGRADE_ASSIGNMENT, else the only *.yaml in
 * ./testcases, else the only one of the installation. The caller frees *path. */
int locate_assignment(char **path, struct err *e);

/* A path as a person would type it: relative to the working directory when it lies below, quoted
 * for the shell when it must be. The caller frees it. */
char *locate_shown(const char *path);

#endif
