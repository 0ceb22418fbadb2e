/*
 * replay_export.h - one case of a unit as a small program that needs nothing of the grader. Its
 * files come from replay/ in the source tree or the installation; what differs between cases is
 * written beside them: case.h, case.mk, the matrices, the student's sources.
 */
#ifndef CMD_REPLAY_EXPORT_H
#define CMD_REPLAY_EXPORT_H

#include <stdint.h>

#include "base/err.h"
#include "rundir/run.h"

struct replay_export {
    const struct run *run;
    const struct unit *unit;
    const struct test_case *test_case;
    const char *case_name; /* "6", or the size of a case that is none of the assignment's */
    struct launch launch;
    uint64_t first_run; /* number of the values */
    const char *dir;    /* to be made, or empty */
    /* Write the inputs and right answers of a kernel in a file to the directory. */
    int (*answers)(void *with, const char *dir, struct err *e);
    void *with;
};

/* Write the program. The seed is not in it. A directory that is not empty stays as it is, and is an
 * input error. After another error, nothing of the program is left. */
int replay_export(const struct replay_export *x, struct err *e);

#endif
