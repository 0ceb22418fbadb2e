/*
 * run_operand.h - which run a command line means: the one that it names, or the newest.
 */
#ifndef CMD_RUN_OPERAND_H
#define CMD_RUN_OPERAND_H

#include <stdbool.h>

#include "cmd/command.h"

/* Among which runs the newest one is looked for. Self-tests are nothing to be changed or handed
 * on. */
enum runs_of { RUNS_OF_REPORTS, RUNS_OF_ALL };

/* The only operand, or else the newest run, which is then named on stderr. COMMAND_GO_ON with
 * *name, which the caller frees; or the exit status, when that was printed. */
int run_operand(const struct command *c, int argc, char *const *argv, enum runs_of among,
                char **name);

/* The newest run, named on stderr; NULL with e: there is none. The caller frees it. */
char *run_newest(enum runs_of among, struct err *e);

#endif
