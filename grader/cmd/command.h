/*
 * command.h - one command, one file (cmd_NAME.c), one descriptor, listed once in cmd/commands.def.
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
    EXIT_UNFINISHED = 3, /* interrupted or still running: run it again, or resume */
};

#define COMMAND(name) extern const struct command cmd_##name;
#include "cmd/commands.def"
#undef COMMAND

/* Print "paragrade NAME: text" to stderr; returns EXIT_USAGE for input errors, else 1. */
int command_error(const struct command *c, const struct err *e);
/* As above for wrong usage: adds the usage line and how to get help. */
int command_usage(const struct command *c, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* For the '?' of getopt_long: what is wrong with the option, and what may have been meant. getopt
 * itself is silent in commands. */
int command_bad_option(const struct command *c, char *const *argv, const struct option *options);
const struct command *command_find(const char *name);

#endif
