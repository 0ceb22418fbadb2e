/*
 * examination.h - what the checks of machine_check.h share: the checks of a machine are in
 * machine_check.c, those of what surrounds it in site_check.c.
 */
#ifndef CMD_EXAMINATION_H
#define CMD_EXAMINATION_H

#include "cmd/machine_check.h"

enum { EXAMINATION_QUICK_MS = 5000 };

/* Fill in the result. meaning: left out when the state is OK. */
void examination_say(struct examination *x, enum examination_state state, const char *detail,
                     const char *meaning);

/* Run a command and return the first line that it prints, "" for none; NULL: it cannot be started.
 * *ended: it ended with status 0. The caller frees the line. */
char *examination_run(const char *command, int timeout_ms, bool *ended);
/* The same, but NULL if it fails. */
char *examination_first_line(const char *command, int timeout_ms);

/* The checks of site_check.c. */
void check_slurm(struct examination *x);
void check_accounting(struct examination *x);
void check_modules(struct examination *x);
void check_clock(struct examination *x);
void check_spool(struct examination *x);

#endif
