/*
 * job_record.h - the record of a job that is submitted to Slurm: the job's name, and for an array,
 * its units and how many elements share them. The front end writes it before it submits the job and
 * reads it when it looks for the job again. The proctor of an element reads it as its batch file
 * (rundir/claim.h says which unit it takes).
 */
#ifndef RUNDIR_JOB_RECORD_H
#define RUNDIR_JOB_RECORD_H

#include "base/err.h"

/* Owns everything in it. */
struct job_record {
    char *name;        /* of the job */
    unsigned elements; /* of its array; 0: a job without an array */
    unsigned throttle; /* elements that run at a time; 0: all */
    char **unit;       /* ids */
    unsigned count;    /* of the units; at least as many as elements */
};

/* Read a record. -1 with e, and *out is empty: the file cannot be read, or it is damaged
 * (ERR_INPUT). Call job_record_free() in both cases. */
int job_record_load(const char *path, struct job_record *out, struct err *e);
void job_record_free(struct job_record *r);

/* The same strings, borrowed. */
struct job_record_view {
    const char *name;
    unsigned elements, throttle;
    const char *const *unit; /* NULL if count is 0 */
    unsigned count;
};

int job_record_write(const char *path, const struct job_record_view *r, struct err *e);

#endif
