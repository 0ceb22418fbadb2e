/*
 * array.h - what was submitted to Slurm, on disk. RUN/slurm holds, for each job n:
 *
 *   array-<n>.json    written before sbatch: the job's name, its units and the number of elements
 *                     (rundir/job_record.h); the proctor reads it as its batch file
 *   array-<n>.next    how many of the units are taken (rundir/claim.h)
 *   report-<n>.json   the same for a report job (no elements)
 *   *-<n>.job         written after sbatch: the job's number
 *   *-<n>.void        the .json of a job that seems not to be in the queue. Should it get there
 *                     late, it finds no batch file and does nothing
 *   array-<n>.held    elements that a node could not start, and that this program cancelled: lines
 *                     of element and node
 *   *-<n>-*.log       output of the jobs
 *
 * Job names hold a random part. By its name, a job is found whose process died before it could note
 * the number, and never a job of somebody else.
 */
#ifndef SLURM_ARRAY_H
#define SLURM_ARRAY_H

#include <stdbool.h>

#include "rundir/plan.h"
#include "slurm/units.h"

struct slurm_job {
    bool is_report;
    int number; /* n */
    char *name;
    long job;  /* 0: not known */
    int *unit; /* plan indices, -1: not in the plan */
    unsigned count;
    unsigned elements; /* that share the units */
    unsigned throttle; /* of them run at a time; 0: not known */
    unsigned queued;   /* elements in the queue when Slurm was last asked */
    bool any_node;     /* they may run on nodes that failed before, too */
    char *held;        /* text of array-<n>.held; NULL: none */
};

struct slurm_jobs {
    struct slurm_job *item;
    unsigned count;
    int last[2]; /* highest number of an array, of a report job */
};

/* Move records that cannot be read aside (array-<n>.damaged). Nobody can say which units those
 * arrays hold, so these units are submitted again; if an element of the old array runs all the
 * same, only the first result counts. The caller holds the run's lock. */
void slurm_jobs_mend(const char *run, const struct plan *p);

/* Read all records that are not void, in the order of their numbers. */
int slurm_jobs_load(const char *run, const struct plan *p, struct slurm_jobs *out, struct err *e);
void slurm_jobs_free(struct slurm_jobs *l);

/* The units of an array that is about to be submitted, and how many elements share them. */
struct slurm_share {
    struct slurm_units units;
    unsigned elements;
    unsigned throttle; /* elements that run at a time */
};

/* Append an array and write its record. The units are copied. The pointer is good until the next
 * job is added. NULL: the record cannot be written (e), and the list is as before. */
struct slurm_job *slurm_jobs_add_array(const char *run, const struct plan *p, struct slurm_jobs *l,
                                       const struct slurm_share *share, struct err *e);
/* The same for a report job, which has no elements. */
struct slurm_job *slurm_jobs_add_report(const char *run, const struct plan *p, struct slurm_jobs *l,
                                        struct err *e);
int slurm_job_set(const char *run, struct slurm_job *j, long job, struct err *e);
/* Note that a node could not start this element, before it is cancelled. Later on, nobody shall
 * take it for one that the user cancelled. */
int slurm_job_hold(const char *run, struct slurm_job *j, long task, const char *node,
                   struct err *e);
/* The node that could not start the element (the caller frees it), or NULL. task -1: of any
 * element. */
char *slurm_job_held(const struct slurm_job *j, long task);
/* The job is not in the queue now, but might still get there. It leaves the list if it is the last
 * one; else count and name are cleared, and the other jobs keep their places. */
int slurm_job_void(const char *run, struct slurm_jobs *l, struct slurm_job *j, struct err *e);
/* Slurm refused the job that was added last: remove its record, and it from the list. The number is
 * free again. */
int slurm_job_drop(const char *run, struct slurm_jobs *l, struct err *e);

/* Path of RUN/slurm/{array,report}-<n><suffix>; the caller frees it. */
char *slurm_job_path(const char *run, const struct slurm_job *j, const char *suffix);

#endif
