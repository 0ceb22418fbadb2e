/*
 * job_record.h - the record of a job that is submitted to Slurm: the job's name, and the units of
 * each element of its array. The front end writes it before it submits the job and reads it when it
 * looks for the job again. The proctor of an element reads it to find its units.
 */
#ifndef RUNDIR_JOB_RECORD_H
#define RUNDIR_JOB_RECORD_H

#include "base/err.h"

/* The units of one element. */
struct job_element {
    char **unit; /* ids; the strings and the array are owned */
    unsigned count;
};

/* Owns everything in it. */
struct job_record {
    char *name;                  /* of the job */
    struct job_element *element; /* by the index of the array task */
    unsigned count;              /* 0: a job without an array */
};

/* Read a record. -1 with e, and *out is empty: the file cannot be read, or it is damaged
 * (ERR_INPUT). Call job_record_free() in both cases. */
int job_record_load(const char *path, struct job_record *out, struct err *e);
void job_record_free(struct job_record *r);

/* Write the record of a job whose elements have one unit each. unit: their ids; NULL if count is 0.
 */
int job_record_write(const char *path, const char *name, const char *const *unit, unsigned count,
                     struct err *e);

#endif
