/*
 * command.h - what every command is, and how it reports errors. A command is one file, cmd/NAME.c,
 * which defines one descriptor, cmd_NAME. cmd/commands.def lists the commands.
 */
#ifndef CMD_COMMAND_H
#define CMD_COMMAND_H

#include <getopt.h>
#include <stdbool.h>

#include "base/err.h"

struct command {
    const char *name;
    const char *usage;                 /* "grade [options] DIR..." without the program name */
    const char *summary;               /* one line for the list of commands */
    const char *help;                  /* options and examples, shown by `paragrade help NAME` */
    int (*run)(int argc, char **argv); /* argv[0] is the command's name; returns the exit status */
};

/* Exit statuses of every command. */
enum {
    EXIT_OK = 0,
    EXIT_FAILURES = 1,   /* the work was done and found failures, or the machine failed */
    EXIT_USAGE = 2,      /* bad arguments or bad input files */
    EXIT_UNFINISHED = 3, /* interrupted or still running: run the command again, or resume */
};

#define COMMAND(name) extern const struct command cmd_##name;
#include "cmd/commands.def"
#undef COMMAND

/* Print "paragrade NAME: text" to stderr. Returns EXIT_USAGE for input errors, else EXIT_FAILURES.
 */
int command_error(const struct command *c, const struct err *e);
/* Print what is wrong with the command line, the usage line and how to get help. Returns
 * EXIT_USAGE. */
int command_usage(const struct command *c, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* The same, where the name of a run is missing. */
int command_needs_run(const struct command *c);
/* `paragrade help NAME`. */
void command_help(const struct command *c);

/* The options of a command. --help and -h are not listed: every command has them. */
struct command_options {
    const struct option *table; /* as for getopt_long */
    const char *letters;        /* of the short forms */
    /* Take one option; its value must live as long as `with`. 0, or -1 with e. NULL: there are no
     * options. */
    int (*take)(void *with, int option, char *value, struct err *e);
    void *with;
};

enum { COMMAND_GO_ON = -1 };
/* Options with this value or a larger one are for the program's own use: people are not told. */
enum { OPTION_HIDDEN = 2000 };

/* Read the options (cmd/options.c). If --list-options is the only argument, the options are
 * printed, one a line, for completion in a shell; those that take a value end with "=".
 * COMMAND_GO_ON: the operands begin at argv[optind]. Otherwise the exit status: help was asked for
 * and printed, or an option was bad, and that was printed. */
int command_options(const struct command *c, const struct command_options *o, int argc,
                    char **argv);

#endif
