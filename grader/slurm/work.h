/*
 * work.h - the state of one call of the Slurm executor, shared by its parts:
 *
 *   slurm/work.c    what it knows: the queue, and the units that are in Slurm's hands
 *   slurm/send.c    getting arrays and the report job into the queue
 *   slurm/watch.c   results, the queue, and units that were lost
 *   slurm/executor.c  the order of things
 */
#ifndef SLURM_WORK_H
#define SLURM_WORK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/term.h"
#include "execute/executor.h"
#include "slurm/array.h"
#include "slurm/groups.h"
#include "slurm/query.h"

enum {
    WORK_TICK_MS = 200, /* how soon a signal is noticed */
    WORK_NOTED_MAX = 16,
};

struct tracked { /* a unit that is in Slurm's hands */
    int unit;
    int array; /* number of its array's record */
    long job, task;
    bool over; /* result or record of failure is there */
    bool running;
    char node[96];
    int absent; /* queries in a row that did not show it */
    uint64_t absent_since;
    bool completing;
    int explained; /* tries */
};

struct slurm_work {
    const struct run *r;
    const struct execute_options *o;
    char *dir; /* RUN/slurm */
    char *proctor, *paragrade, *unit_script, *report_script;
    struct slurm_jobs jobs;
    struct slurm_groups groups;
    unsigned *taken; /* per group: units submitted */
    struct tracked *t;
    unsigned t_count;
    long max_array;
    unsigned chunk; /* elements that the limits seem to allow at once */
    int unverified; /* index of a job that may have got in or not; -1 */
    unsigned unverified_group;
    bool unverified_limit; /* sbatch was waiting for a place when its time was up */
    bool plain;            /* without --exclude: it left no node */
    long *mine;            /* submitted by this call */
    unsigned mine_count;
    int report;      /* index of the live report job; -1 */
    bool report_due; /* arrays were submitted that it does not wait for */
    bool limit_noted, silent;
    bool answered;     /* once at least */
    unsigned silences; /* queries in a row */
    uint64_t next_query, next_submit, next_disk;
    char *noted[WORK_NOTED_MAX];
    unsigned noted_count;
    struct progress progress;
    unsigned done;
};

/* --- slurm/work.c ------------------------------------------------------------------------- */

const char *work_unit_id(const struct slurm_work *s, int unit);
uint64_t work_in_ms(int64_t ms); /* a moment of the monotonic clock */
bool work_due(uint64_t when);
int64_t work_poll_ms(const struct slurm_work *s);
/* A note for people, the same one only once. */
void work_note_once(struct slurm_work *s, const char *text);

/* One query for all jobs of the run. Whoever asks Slurm anything reports through work_heard() how
 * it went: it sets the time of the next query. */
enum slurm_answer work_ask_queue(struct slurm_work *s, struct slurm_list *l, char why[SLURM_WHY]);
void work_heard(struct slurm_work *s, enum slurm_answer a, const char *why);
/* Wait until the next query is due. 1: told to stop. */
int work_wait(struct slurm_work *s, struct err *e);

void work_track(struct slurm_work *s, int unit, const struct slurm_job *array, long task);
/* Its element in the queue, or NULL. By name too: a controller that lost its state gives numbers
 * out again. */
const struct slurm_element *work_find(const struct slurm_work *s, const struct slurm_list *queue,
                                      const struct tracked *t);
bool work_is_tracked(const struct slurm_work *s, int unit);
/* The tag of an array element's attempts: "12_3". */
void work_tag(long job, long task, char *out, size_t cap);
/* Find the jobs of earlier calls, recorded or not, and track those of these units. 1: told to
 * stop. */
int work_take_up(struct slurm_work *s, const int *units, unsigned count, struct err *e);
/* Does every unit have an end or a place in the queue? */
bool work_all_placed(const struct slurm_work *s);
bool work_all_over(const struct slurm_work *s);

/* --- slurm/send.c ------------------------------------------------------------------------- */

/* Ask for the largest index unless the assignment says. 1: told to stop. */
int send_learn_max_array(struct slurm_work *s, struct err *e);
/* One step forward. 1: there is nothing more to submit. */
int send_some(struct slurm_work *s, struct err *e);
/* Failing to submit it is no failure of the run: then somebody must say resume. */
int send_report(struct slurm_work *s, struct err *e);
void send_cancel_report(struct slurm_work *s);

/* --- slurm/watch.c ------------------------------------------------------------------------ */

void watch_results(struct slurm_work *s);
int watch_queue(struct slurm_work *s, struct err *e);

#endif
