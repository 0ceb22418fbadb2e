/*
 * array_request.h - the sbatch of an array, from its record: for sending it, and for showing it.
 */
#ifndef SLURM_ARRAY_REQUEST_H
#define SLURM_ARRAY_REQUEST_H

#include "slurm/array.h"
#include "slurm/submit.h"

/* What all arrays of a run have in common. Nothing is owned. */
struct array_setting {
    const char *run; /* directory */
    const char *proctor;
    const char *script;  /* starts the proctor; its arguments are made here */
    char *const *prefix; /* words before the proctor */
};

struct array_request {
    struct slurm_request q;
    char *dir, *output;
    char **args;
};

/* The caller may then set q.exclude. Free with array_request_free(); the record, the resources and
 * the setting must live as long. */
void array_request_make(const struct array_setting *at, const struct slurm_job *j,
                        const struct resources *res, struct array_request *out);
void array_request_free(struct array_request *r);

#endif
