/*
 * execute_options.h - the options that say how units are run: the same for grade and resume.
 */
#ifndef CMD_EXECUTE_OPTIONS_H
#define CMD_EXECUTE_OPTIONS_H

#include <getopt.h>

#include "cmd/command.h"
#include "cmd/pipeline.h"

struct execute_args {
    struct execute_options options;
    bool json;
    bool slurm_given; /* --slurm or --local */
    bool jobs_given;
};

enum { EXECUTE_ARG_FIRST = 1000 };

/* Entries for a getopt_long table, their values starting at EXECUTE_ARG_FIRST. */
#define EXECUTE_ARG_OPTIONS                                                                        \
    {"slurm", no_argument, NULL, EXECUTE_ARG_FIRST},                                               \
        {"local", no_argument, NULL, EXECUTE_ARG_FIRST + 1},                                       \
        {"partition", required_argument, NULL, EXECUTE_ARG_FIRST + 2},                             \
        {"account", required_argument, NULL, EXECUTE_ARG_FIRST + 3},                               \
        {"qos", required_argument, NULL, EXECUTE_ARG_FIRST + 4},                                   \
        {"no-wait", no_argument, NULL, EXECUTE_ARG_FIRST + 5},                                     \
        {"jobs", required_argument, NULL, 'j'}, {"quiet", no_argument, NULL, 'q'},                 \
    {                                                                                              \
        "json", no_argument, NULL, EXECUTE_ARG_FIRST + 6                                           \
    }

#define EXECUTE_ARG_HELP                                                                           \
    "  --slurm             run the units as Slurm job arrays, one per resource shape\n"            \
    "  --partition P       Slurm partition, account and QOS, instead of the assignment's;\n"       \
    "  --account A           they imply --slurm\n"                                                 \
    "  --qos Q\n"                                                                                  \
    "  --no-wait           submit and return: a job that waits for the arrays writes the "         \
    "reports\n"                                                                                    \
    "  -j, --jobs N        on this machine: N units at a time (default 1: times are then not\n"    \
    "                        disturbed by one another)\n"                                          \
    "  -q, --quiet         no progress on stderr\n"                                                \
    "  --json              print everything as one JSON document instead of tables\n"

void execute_args_init(struct execute_args *a);
/* Take one option that getopt_long returned. 0: taken; 1: not one of these; -1: bad value (e). */
int execute_args_take(struct execute_args *a, int option, const char *value, struct err *e);
/* After all: do they go together? */
int execute_args_check(const struct execute_args *a, struct err *e);

#endif
