/*
 * run_operand.h - which run a command line means: the one that it names, or the newest.
 */
#ifndef CMD_RUN_OPERAND_H
#define CMD_RUN_OPERAND_H

#include <stdbool.h>

#include "cmd/command.h"

/* The newest run that the command means (any, if o is NULL), named on stderr: of those of this
 * directory, if there are any, else of all. NULL with e: there is none. The caller frees it. */
char *run_newest(enum runs_of among, const struct options *o, struct err *e);

#endif
