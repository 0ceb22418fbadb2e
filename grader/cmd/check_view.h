/*
 * check_view.h - what `paragrade check` prints of a run.
 */
#ifndef CMD_CHECK_VIEW_H
#define CMD_CHECK_VIEW_H

#include <stdbool.h>

#include "base/err.h"
#include "rundir/results.h"

struct check_view {
    bool json, gcc_style;
    bool unfinished;    /* print what there is, unless it is nothing or for a program */
    bool cut;           /* units without a result were left out after the first failure */
    const char *before; /* the directory of the run before it, with --watch; NULL: there is none */
    double seconds;     /* that the check took */
    const char *given;  /* the directory that was checked, as people may type it */
};

/* Print the run in a directory. 0, or -1 with e. */
int check_view_print(const char *dir, const struct check_view *v, struct err *e);

/* check_lines.c: a line for each failure of a submission, as compilers write them. run_name: by
 * which commands name the run. */
void check_lines_print(const struct run *r, const struct results *res, const char *given,
                       const char *run_name);

#endif
