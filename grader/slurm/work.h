/*
 * work.h - one call of the Slurm executor: what it was given, and the state of each of its parts.
 *
 *   slurm/executor.c    the order of things
 *   slurm/send.c        arrays               -> arrays, submitted, jobs, tracked
 *   slurm/report_job.c  the report job       -> report, submitted, jobs
 *   slurm/watch.c       results, the queue   -> tracked, announced
 *   slurm/lost.c        lost units           -> tracked
 *   slurm/work.c        the queue, and the jobs of earlier calls
 */
#ifndef SLURM_WORK_H
#define SLURM_WORK_H

#include <stdbool.h>
#include <stdint.h>

#include "execute/executor.h"
#include "execute/unit_grid.h"
#include "rundir/announce.h"
#include "slurm/array.h"
#include "slurm/contact.h"
#include "slurm/groups.h"
#include "slurm/notes.h"
#include "slurm/query.h"
#include "slurm/tracking.h"

enum { WORK_TICK_MS = 200 /* how soon a signal is noticed */ };

/* What the call was given, and where things lie. Nothing in it changes. */
struct slurm_setup {
    const struct run *r;
    const struct execute_options *o;
    struct slurm_layers layers; /* of *o */
    char *dir;                  /* RUN/slurm */
    char *proctor, *paragrade, *unit_script, *report_script;
    char **prefix; /* words before the proctor, on the node */
};

/* The arrays that are to be submitted. */
struct slurm_sending {
    struct slurm_groups groups;
    unsigned *taken; /* per group: units submitted */
    long *at_a_time; /* per group: elements that may run, beside those of earlier arrays */
    long max_array;  /* most elements of an array */
    unsigned chunk;  /* elements that the limits seem to allow at once */
    struct {
        int job; /* index of a job that may have got in or not; -1: none */
        unsigned group;
        bool limit; /* sbatch was waiting for a place when its time was up */
    } unverified;
    bool plain;       /* submit without --exclude: it left no node */
    bool limit_noted; /* people were told that Slurm takes no more jobs */
    uint64_t next_submit;
};

struct slurm_work {
    const struct slurm_setup *in;
    struct slurm_jobs jobs; /* all arrays and report jobs of the run */
    struct tracking tracked;
    struct slurm_sending arrays;
    struct {
        int job;  /* index of the live report job; -1: none */
        bool due; /* arrays were submitted that it does not wait for */
    } report;
    struct { /* by this call */
        long *job;
        unsigned count;
    } submitted;
    struct slurm_contact contact;
    struct notes notes;
    struct unit_grid grid;
    struct announcements announced;
    uint64_t next_results; /* moment of the next look for announcements */
    uint64_t next_scan;    /* moment of the next look at every unit */
};

const char *work_unit_id(const struct slurm_work *s, int unit);
/* Note that this call has submitted a job. */
void work_submitted(struct slurm_work *s, long job);

/* One query for all jobs of the run. 1: *l has what is in the queue, and the caller frees it; 0: no
 * answer; -1: refused (e). Questions of other kinds are reported to contact_heard(). */
int work_ask_queue(struct slurm_work *s, struct slurm_list *l, struct err *e);
/* How many more elements with these resources may run at a time, beside those of the arrays that
 * are in the queue. At least one: otherwise nothing would be submitted. */
long work_at_a_time(const struct slurm_work *s, const struct resources *res);
/* Wait until the next query is due. 1: told to stop, perhaps while Slurm was asked. */
int work_wait(struct slurm_work *s, struct err *e);

/* The array that an element in the queue belongs to, or NULL. The job's name is compared, too: a
 * controller that lost its state gives numbers out again. */
struct slurm_job *work_array_of(const struct slurm_jobs *jobs, const struct slurm_element *x);
/* The array that a unit is in. */
struct slurm_job *work_array(const struct slurm_jobs *jobs, const struct tracked *t);
/* The element in the queue that took a unit; for a unit that nobody took, any element of its array,
 * one that is not ending if there is one. NULL: there is none. */
const struct slurm_element *work_find(const struct slurm_jobs *jobs, const struct slurm_list *queue,
                                      const struct tracked *t);
/* Find the jobs of earlier calls, recorded or not, and track those of these units. 1: told to
 * stop. */
int work_take_up(struct slurm_work *s, const int *units, unsigned count, struct err *e);

#endif
