/* proctor_program.h - which program executors start for a unit, and what goes before it. */
#ifndef EXECUTE_PROCTOR_PROGRAM_H
#define EXECUTE_PROCTOR_PROGRAM_H

#include "base/err.h"
#include "model/site.h"

/* Path of the proctor, which need not exist; the caller frees it. Tests name another program in the
 * environment variable PARAGRADE_PROCTOR. */
char *execute_proctor(void);

/* The words that go before a command, so that it gets the modules, the scratch directory and the
 * nice level of these settings; no word when there are none. NULL-terminated; free with
 * proc_argv_free(). NULL with e: the installation is incomplete. */
char **execute_prefix(const struct site *s, struct err *e);

/* A copy of the prefix and the command in one vector; free with proc_argv_free(). */
char **execute_command(char *const *prefix, const char *const *command);

#endif
