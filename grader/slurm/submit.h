/*
 * submit.h - one sbatch: its argument vector, and what its refusals mean.
 */
#ifndef SLURM_SUBMIT_H
#define SLURM_SUBMIT_H

#include "model/assignment.h"
#include "slurm/call.h"

struct slurm_request {
    const char *script;
    const char *name;
    const char *chdir;  /* where output goes */
    const char *output; /* pattern, relative to chdir */
    const struct resources *res;
    long elements;          /* 0: no array */
    long throttle;          /* elements at a time; 0: all */
    const char *node;       /* the only one; NULL: any */
    const char *exclude;    /* nodes, comma-separated; NULL or "": none */
    const char *dependency; /* NULL: none */
    char *const *args;      /* of the script, NULL-terminated */
};

/* The sbatch command line; free with proc_argv_free(). */
char **slurm_sbatch_argv(const struct slurm_request *q);

enum slurm_outcome {
    SUBMIT_DONE,
    SUBMIT_LIMIT,   /* too many jobs at the moment: wait and go on */
    SUBMIT_UNKNOWN, /* no answer: the job may be in the queue or not */
    SUBMIT_REFUSED, /* Slurm would refuse it again */
};

/* What sbatch's stderr means, given that it failed. */
enum slurm_outcome slurm_classify_refusal(const char *text);

/* Submit. *job receives the number, or 0; why[] receives Slurm's words. */
enum slurm_outcome slurm_submit(const struct slurm_request *q, long *job, char why[SLURM_WHY]);

#endif
