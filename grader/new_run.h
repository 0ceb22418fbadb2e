/*
 * new_run.h - what `paragrade grade` and `paragrade sweep` share: options that say what a new run
 * consists of, and its way from there to the tables.
 */
#ifndef GRADER_NEW_RUN_H
#define GRADER_NEW_RUN_H

#include <stdbool.h>

#include "base/err.h"
#include "execute_args.h"
#include "planner.h"

struct new_run {
    struct execute_args run;
    struct plan_request plan;
    bool reference_only;
    char **chosen;    /* tiers or sweeps */
    char *assignment; /* found, not given */
};

/* For getopt_long(): entries of the table, and the letters of the short ones. */
#define NEW_RUN_OPTIONS                                                                            \
    {"assignment", required_argument, NULL, 'a'}, {"profile", required_argument, NULL, 'p'},       \
        {"run-id", required_argument, NULL, 'i'}, {"reports", required_argument, NULL, 'o'},       \
        {"reference", no_argument, NULL, 'R'}, EXECUTE_ARG_OPTIONS
#define NEW_RUN_LETTERS "a:p:j:q"

void new_run_init(struct new_run *n);
void new_run_free(struct new_run *n);

/* One option of the above. 0; 1 when it is none of them; -1 with e. `value` must live as long as
 * n. */
int new_run_take(struct new_run *n, int opt, char *value, struct err *e);

/* Only this tier or sweep; may be repeated. */
void new_run_choose(struct new_run *n, char *name);

/* Plan, run, report. 0 with the exit status; -1 with e when there is no run, or somebody else
 * drives it. */
int new_run_drive(struct new_run *n, int *status, struct err *e);

#endif
