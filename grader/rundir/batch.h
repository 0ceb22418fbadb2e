/*
 * batch.h - the record of a job that is submitted to Slurm: the job's name, and the units of each
 * element of its array. The front end writes it before it submits the job and reads it when it
 * looks for the job again. The proctor of an element reads it to find its units.
 */
#ifndef RUNDIR_BATCH_H
#define RUNDIR_BATCH_H

#include "base/err.h"

/* The units of one element. */
struct batch_element {
    char **unit; /* ids; the strings and the array are owned */
    unsigned count;
};

/* Owns everything in it. */
struct batch {
    char *name;                    /* of the job */
    struct batch_element *element; /* by the index of the array task */
    unsigned count;                /* 0: a job without an array */
};

/* Read a record. -1 with e, and *out is empty: the file cannot be read, or it is damaged
 * (ERR_INPUT). Call batch_free() in both cases. */
int batch_load(const char *path, struct batch *out, struct err *e);
void batch_free(struct batch *b);

/* Write the record of a job whose elements have one unit each. unit: their ids; NULL if count is 0.
 */
int batch_write(const char *path, const char *name, const char *const *unit, unsigned count,
                struct err *e);

#endif
