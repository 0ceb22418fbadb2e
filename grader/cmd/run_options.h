/*
 * run_options.h - what `paragrade grade` and `paragrade sweep` share: the options that say what a
 * new run consists of, and the way from there to the tables.
 */
#ifndef CMD_RUN_OPTIONS_H
#define CMD_RUN_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "cmd/execute_options.h"
#include "plan/planner.h"

/* What the command line asks for. */
struct run_request {
    struct plan_request plan;
    struct execute_request execute;
    bool reference_only;
    bool dry_run;     /* only say what Slurm would be asked for */
    char **names;     /* the tiers or sweeps in `plan`; owned, the strings are not */
    char *assignment; /* found because the command line names none; owned */
};

/* Entries for a table of getopt_long, and the letters of the short forms. */
#define RUN_OPTIONS                                                                                \
    {"assignment", required_argument, NULL, 'a'}, {"profile", required_argument, NULL, 'p'},       \
        {"run-id", required_argument, NULL, 'i'}, {"reports", required_argument, NULL, 'o'},       \
        {"reference", no_argument, NULL, 'R'}, EXECUTE_OPTIONS
#define RUN_OPTIONS_LETTERS "a:p:" EXECUTE_OPTIONS_LETTERS

void run_options_init(struct run_request *r);
void run_options_free(struct run_request *r);

/* Take one option that getopt_long returned; its value must live as long as the request. 0: taken;
 * 1: not one of these options; -1: the value is bad (e). */
int run_options_take(struct run_request *r, int option, char *value, struct err *e);

/* Run only this tier or sweep; may be called again for a further one. */
void run_options_add_name(struct run_request *r, char *name);

/* Plan a new run for these directories of submissions and take it through the pipeline. 0: *status
 * is the exit status; -1 with e: there is no run, or another process has its lock. */
int run_options_run(struct run_request *r, char *const *dirs, size_t count, int *status,
                    struct err *e);

#endif
