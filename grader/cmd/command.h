/*
 * command.h - what every command is, and how it reports errors. A command is one file, cmd/NAME.c,
 * which defines one descriptor, cmd_NAME. cmd/commands.def lists the commands.
 */
#ifndef CMD_COMMAND_H
#define CMD_COMMAND_H

#include <stdbool.h>
#include <stdio.h>

#include "base/err.h"

struct options;
struct run;

/* Among which runs the newest is looked for. Self-tests are nothing to be changed or handed on. */
enum runs_of { RUNS_OF_NONE, RUNS_OF_REPORTS, RUNS_OF_ALL };

enum { OPERANDS_MANY = 10000000, COMMAND_GO_ON = -1 };

struct command {
    const char *name;
    const char *usage;   /* "grade [options] DIR..." without the program name */
    const char *summary; /* one line for the list of commands */
    const char *about;   /* `paragrade help NAME`: before the options; may be NULL */
    const char *more;    /* ... and after them: examples, exit statuses; may be NULL */
    unsigned bit;        /* on_NAME: the rows of options.def say who has an option */
    /* How many operands follow the options; what is said when there are fewer or more. */
    size_t least, most;
    const char *operands;
    /* Not RUNS_OF_NONE: before the least of them, there may be a run; else it is the newest of
     * these. */
    enum runs_of runs;
    /* May be NULL. Is the first operand a run? Otherwise the number of operands says so. */
    bool (*names_run)(const struct options *o);
    /* May be NULL: any. The newest of the runs for which this is true; if there is none, the newest
     * of all. */
    bool (*means)(const struct options *o, const struct run *r);
    /* May be NULL. Can the options be combined? COMMAND_GO_ON, or the exit status. It is asked
     * before the operands are counted. */
    int (*check)(const struct options *o);
    /* One of the two; it returns the exit status. */
    int (*run)(const struct options *o);
    int (*with_run)(const struct options *o, struct run *r); /* which is opened, and then closed */
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

/* on_NAME: a bit for each command. */
enum {
#define COMMAND(name) number_##name,
#include "cmd/commands.def"
#define COMMAND(name) on_##name = 1 << number_##name,
#include "cmd/commands.def"
};

/* Print "paragrade NAME: text" to stderr. Returns EXIT_USAGE for input errors, else EXIT_FAILURES.
 */
int command_error(const struct command *c, const struct err *e);
/* Print what is wrong with the command line, the usage line and how to get help. Returns
 * EXIT_USAGE. */
int command_usage(const struct command *c, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* Read a command line, whose first word is the command's name, and do what it says. Returns the
 * exit status. */
int command_line(const struct command *c, int argc, char **argv);
/* Break the lines of help at 80 columns, or as wide as the terminal is; until
 * term_layout(NULL, 0). */
void command_layout(FILE *f);

#endif
