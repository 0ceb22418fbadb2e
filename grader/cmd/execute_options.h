/*
 * execute_options.h - how units are run, as options say it: the same ones for grade, sweep, resume
 * and regrade.
 */
#ifndef CMD_EXECUTE_OPTIONS_H
#define CMD_EXECUTE_OPTIONS_H

#include "base/err.h"
#include "cmd/options.h"
#include "execute/executor.h"
#include "rundir/resume_options.h"

/* Can the options be combined? COMMAND_GO_ON, or the exit status. */
int execute_options_check(const struct options *o);
/* For a new run. The strings are those of `o`. -1 with e: a file of settings is wrong. To be freed
 * in every case. */
int execute_options_make(const struct options *o, struct execute_options *x, struct err *e);
/* Execute a run that exists as before, except where the command line says otherwise. `before`
 * receives the stored options; it must live as long as `x`. Both are to be freed in every case. */
int execute_options_adopt(const struct options *o, const char *dir, struct resume_options *before,
                          struct execute_options *x, struct err *e);
void execute_options_free(struct execute_options *x);

#endif
