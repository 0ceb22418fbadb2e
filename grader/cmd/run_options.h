/*
 * run_options.h - what `paragrade grade` and `paragrade sweep` share: options that say what a new
 * run consists of, and its way from there to the tables.
 */
#ifndef CMD_RUN_OPTIONS_H
#define CMD_RUN_OPTIONS_H

#include <stdbool.h>

#include "base/err.h"
#include "cmd/execute_options.h"
#include "plan/planner.h"

struct run_options {
    struct execute_args run;
    struct plan_request plan;
    bool reference_only;
    char **chosen;    /* tiers or sweeps */
    char *assignment; /* found, not given */
};

/* For getopt_long(): entries of the table, and the letters of the short ones. */
#define RUN_OPTIONS                                                                                \
    {"assignment", required_argument, NULL, 'a'}, {"profile", required_argument, NULL, 'p'},       \
        {"run-id", required_argument, NULL, 'i'}, {"reports", required_argument, NULL, 'o'},       \
        {"reference", no_argument, NULL, 'R'}, EXECUTE_ARG_OPTIONS
#define RUN_OPTIONS_LETTERS "a:p:j:q"

void run_options_init(struct run_options *n);
void run_options_free(struct run_options *n);

/* One option of the above. 0; 1 when it is none of them; -1 with e. `value` must live as long as
 * n. */
int run_options_take(struct run_options *n, int opt, char *value, struct err *e);

/* Only this tier or sweep; may be repeated. */
void run_options_choose(struct run_options *n, char *name);

/* Plan, run, report. 0 with the exit status; -1 with e when there is no run, or somebody else
 * drives it. */
int run_options_drive(struct run_options *n, int *status, struct err *e);

#endif
