/*
 * run_session.h - how the last grade or resume executes a run: kept in RUN/session.json, so that
 * `paragrade resume RUN` and the report job go on in the same way.
 */
#ifndef GRADER_RUN_SESSION_H
#define GRADER_RUN_SESSION_H

#include <jansson.h>
#include <stdbool.h>

#include "attempts.h"
#include "base/err.h"
#include "executor.h"

struct run_session {
    bool slurm;
    int jobs;
    char *partition; /* NULL: as the assignment says */
    char *account;
    char *qos;
    json_t *failures; /* of units before it began; NULL: none */
};

/* Also notes what has failed up to now: only later failures count towards submit.retries. */
int run_session_save(const struct run *r, const struct execute_options *o, struct err *e);
/* Returns 0, 1 when there is none yet (*s is empty), -1 on error. */
int run_session_load(const char *run, struct run_session *s, struct err *e);
void run_session_free(struct run_session *s);
/* Failures of a unit in this session, of which *now holds those of all time. */
struct attempt_count run_session_count(const struct run_session *s, const char *unit_id,
                                       struct attempt_count now);

#endif
