/*
 * resume_options.h - how the last grade or resume executes a run: kept in RUN/session.json, so that
 * `paragrade resume RUN` and the report job go on in the same way.
 */
#ifndef RUNDIR_RESUME_OPTIONS_H
#define RUNDIR_RESUME_OPTIONS_H

#include <jansson.h>
#include <stdbool.h>

#include "base/err.h"
#include "rundir/attempts.h"
#include "rundir/run.h"

/* How the units of a run are executed. */
struct execute_options {
    bool slurm;
    bool quiet;
    bool wait;             /* slurm: false = submit, leave the rest to the report job */
    bool from_job;         /* slurm: this is the report job */
    int jobs;              /* local: proctors at a time */
    const char *partition; /* slurm: laid over the assignment's, NULL: as the assignment says */
    const char *account;
    const char *qos;
};

struct resume_options {
    bool slurm;
    int jobs;
    char *partition; /* NULL: as the assignment says */
    char *account;
    char *qos;
    json_t *failures; /* of units before it began; NULL: none */
};

/* Also notes what has failed up to now: only later failures count towards submit.retries. */
int resume_options_save(const struct run *r, const struct execute_options *o, struct err *e);
/* Returns 0, 1 when there is none yet (*s is empty), -1 on error. */
int resume_options_load(const char *run, struct resume_options *s, struct err *e);
void resume_options_free(struct resume_options *s);
/* Failures of a unit in this session, of which *now holds those of all time. */
struct attempt_count resume_options_count(const struct resume_options *s, const char *unit_id,
                                          struct attempt_count now);

#endif
