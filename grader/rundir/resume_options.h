/*
 * resume_options.h - how the last grade or resume executes a run, kept in RUN/resume.json:
 * `paragrade resume RUN` and the report job go on in the same way.
 */
#ifndef RUNDIR_RESUME_OPTIONS_H
#define RUNDIR_RESUME_OPTIONS_H

#include <jansson.h>
#include <stdbool.h>

#include "base/err.h"
#include "model/site.h"
#include "rundir/attempts.h"
#include "rundir/run.h"

struct resume_options {
    bool slurm;
    int jobs;          /* local: proctors at a time */
    struct site site;  /* every setting of the site, in all layers */
    struct site given; /* of these, the ones from a command line */
    json_t *failures;  /* of units, up to the moment of saving; NULL: none */
};

/* Save all but `failures`; these are counted now, since only later failures count towards
 * submit.retries. Also stores which programs grade; if others
 * did before, the plan notes of which units. */
int resume_options_save(const struct run *r, const struct resume_options *s, struct err *e);
/* 0; 1 when there is no such file yet (*s is empty); -1 on error. To be freed in every case. */
int resume_options_load(const char *run, struct resume_options *s, struct err *e);
void resume_options_free(struct resume_options *s);
/* The failures of a unit since the options were saved; `now` holds those of all time. */
struct attempt_count resume_options_count(const struct resume_options *s, const char *unit_id,
                                          struct attempt_count now);
/* Has a unit without a result used up its attempts, or was it cancelled? Only `resume` runs it
 * again then. *failures (may be NULL): since the options were saved. */
bool resume_options_ended(const struct run *r, const struct resume_options *s, const char *unit_id,
                          int *failures);
/* The programs that were to grade when the options were saved: what tools_json() gave then, as a
 * new reference. JSON null when that is not known. */
json_t *resume_options_tools(const char *run);

#endif
