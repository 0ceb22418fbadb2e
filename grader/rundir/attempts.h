/*
 * attempts.h - the trail that attempts at a unit leave in its directory: results, and the records
 * of attempts that failed through nobody's fault (infra-<tag>.json).
 */
#ifndef RUNDIR_ATTEMPTS_H
#define RUNDIR_ATTEMPTS_H

#include <stdbool.h>

#include "base/err.h"
#include "base/strbuf.h"

/* Does the unit's result exist? Looks past what an NFS client has cached. */
bool attempt_has_result(const char *run, const char *unit_id);

/* Has an attempt of that tag left a record of failure? */
bool attempt_has_failure(const char *run, const char *unit_id, const char *tag);

/* Has one begun that left no such record? */
bool attempt_under_way(const char *run, const char *unit_id, const char *tag);

struct attempt_failure {
    const char *tag;    /* Slurm's job_task, or local-... */
    const char *reason; /* one line for people */
    const char *host;   /* or NULL */
    const char *node;   /* Slurm's name of it, or NULL */
    bool cancelled;     /* a person ended it: not to be repeated unasked */
};

/* Record a failure, unless the attempt has done so itself. */
int attempt_fail(const char *run, const char *unit_id, const struct attempt_failure *f,
                 struct err *e);

struct attempt_count {
    int failures;
    int cancelled; /* of these, ended by a person */
    int doubts;    /* of these, perhaps the code's own doing: supervise/outcome.h */
};

/* Failures recorded so far. Who wants those since some moment subtracts what there was then: time
 * stamps would do only where no clock is ever set back. */
struct attempt_count attempt_failures(const char *run, const char *unit_id);

/* Add the Slurm nodes on which attempts failed to a comma-separated list without doubles. */
void attempt_failed_nodes(const char *run, const char *unit_id, struct strbuf *list);

#endif
