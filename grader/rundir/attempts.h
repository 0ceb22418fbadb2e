/*
 * attempts.h - the records that attempts at a unit leave in its directory: attempt-<tag>.json when
 * one starts, infra-<tag>.json when one fails through no fault of the student, and the result.
 *
 * A tag names an attempt: "a3" is the one of array 3 of the run (rundir/claim.h), "local-..." one
 * of the local executor. "local" stands for all that begin with "local-".
 */
#ifndef RUNDIR_ATTEMPTS_H
#define RUNDIR_ATTEMPTS_H

#include <jansson.h>
#include <stdbool.h>

#include "base/err.h"
#include "base/strbuf.h"

/* Does the unit's result exist? Looks past what an NFS client has cached. */
bool attempt_has_result(const char *run, const char *unit_id);

/* Has an attempt with that tag left a record of failure? */
bool attempt_has_failure(const char *run, const char *unit_id, const char *tag);

/* Has an attempt with that tag started, and left no record of failure? */
bool attempt_under_way(const char *run, const char *unit_id, const char *tag);

struct attempt_start {
    const char *tag;
    const char *host; /* key of the node */
    const char *job;  /* Slurm's, or local-... */
};

/* Record that an attempt starts, unless one with this tag has started before. 0: recorded; 1: it
 * has started before, and its record stays; -1: error. */
int attempt_begin(const char *run, const char *unit_id, const struct attempt_start *a,
                  struct err *e);

/* The job that recorded the start of the attempt with exactly this tag; the caller frees it. NULL:
 * there is no such record, or it cannot be read. */
char *attempt_job(const char *run, const char *unit_id, const char *tag);

struct attempt_failure {
    const char *tag;
    const char *reason; /* one line for people */
    const char *host;   /* or NULL */
    const char *node;   /* Slurm's name of it, or NULL */
    const char *job;    /* or NULL */
    bool cancelled;     /* a person ended it: it is not repeated unasked */
    bool unexplained;   /* perhaps the code's own doing (supervise/outcome.h) */
    bool postponed;     /* nothing failed: the job had too little time left for the unit, or was
                           cancelled before this command began */
};

/* Record a failure. A record that the attempt has left already stays as it is. */
int attempt_fail(const char *run, const char *unit_id, const struct attempt_failure *f,
                 struct err *e);

struct attempt_count {
    int failures;    /* all records, also those of postponed units */
    int cancelled;   /* of these */
    int unexplained; /* of these */
    int postponed;   /* of these */
};

/* How many attempts have started whose tags begin with `kind`. */
int attempt_starts(const char *run, const char *unit_id, const char *kind);

/* All failures recorded so far. To count those since some moment, subtract what the count was then;
 * time stamps would be wrong when a clock is set back. */
struct attempt_count attempt_failures(const char *run, const char *unit_id);

/* The reason of the newest failure; the caller frees it. NULL when there is none. */
char *attempt_last_reason(const char *run, const char *unit_id);

/* Both at an earlier time: of the records whose paths in the run are keys of `files`. */
struct attempt_count attempt_failures_among(const char *run, const char *unit_id,
                                            const json_t *files, char **reason);

/* Add the Slurm nodes on which attempts failed (and were not only postponed) to a comma-separated
 * list without doubles. */
void attempt_failed_nodes(const char *run, const char *unit_id, struct strbuf *list);

#endif
