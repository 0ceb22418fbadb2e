/*
 * run.h - an opened run directory: the plan, the copy of the assignment, and its cases.
 */
#ifndef RUNDIR_RUN_H
#define RUNDIR_RUN_H

#include <stdbool.h>

#include "base/err.h"
#include "model/assignment.h"
#include "model/cases.h"
#include "model/result.h"
#include "rundir/plan.h"

struct run {
    char *dir; /* absolute */
    struct assignment *assignment;
    struct plan *plan;
    struct case_list cases;
};

int run_open(const char *dir, struct run *r, struct err *e);
void run_close(struct run *r);

/* One front end drives a run at a time. Returns 0 with the lock held, 1 when another live process
 * holds it (e says which host and process), -1 on error. The lock of a dead process is taken over.
 */
int run_lock(const struct run *r, struct err *e);
void run_unlock(const struct run *r);
/* Sign of life of the holder; call it every few seconds, it acts when due. Returns 1 when another
 * process has taken the run over (this one was thought dead) and 0 else. */
int run_lock_refresh(const struct run *r);
/* Does a live process hold the lock of the run in dir? */
bool run_is_driven(const char *dir);

/* --- what is known so far (rundir/results.c)
 * ------------------------------------------------------ */

struct results {
    struct unit_result **unit; /* one per plan unit; NULL while unknown */
    unsigned unit_count;
    int *attempts; /* infrastructure failures seen per unit */
    struct node_record **node;
    unsigned node_count;
};

/* Read everything that lies in the run directory. Unknown units that are preset get their preset
 * verdict; with `final`, units still unknown become infra-error with what is known about why. A
 * damaged result file is moved aside (result.json.damaged), counted as an infrastructure failure
 * and reported through e->text when nothing worse happened (returns 1). -1: that cannot be done;
 * *out is filled and the caller's to free in every case. */
int results_collect(const struct run *r, bool final, struct results *out, struct err *e);
/* The same without changing anything on disk: what is damaged is left where it is and told to
 * `damage` (unit_id is NULL for a node record). Units without a result stay unknown. Returns 1 when
 * something was damaged. */
typedef void results_damage(void *arg, const char *unit_id, const char *path, const char *why);
int results_read(const struct run *r, struct results *out, results_damage *damage, void *arg);
/* Unit i has no result and will not get one: infra-error, with what is known about why. */
void results_give_up(const struct run *r, struct results *res, unsigned i);
/* Set unit i's result aside, so that it runs again. */
int results_redo(const struct run *r, unsigned i, const char *why, struct err *e);
void results_free(struct results *res);
unsigned results_left(const struct results *res); /* units without a result */
const struct node_record *results_node(const struct results *res, const struct unit_result *u);

#endif
