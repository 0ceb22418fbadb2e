/*
 * run_session.h - how the last grade or resume executes a run: kept in RUN/session.json, so that
 * `paragrade resume RUN` and the report job go on in the same way.
 */
#ifndef GRADER_RUN_SESSION_H
#define GRADER_RUN_SESSION_H

#include <stdbool.h>
#include <time.h>

#include "base/err.h"
#include "executor.h"

struct run_session {
    bool slurm;
    int jobs;
    char *partition; /* NULL: as the assignment says */
    char *account;
    char *qos;
    struct timespec started; /* by the file system's clock */
};

int run_session_save(const char *run, const struct execute_options *o, struct err *e);
/* Returns 0, 1 when there is none yet (*s is empty), -1 on error. */
int run_session_load(const char *run, struct run_session *s, struct err *e);
void run_session_free(struct run_session *s);

#endif
