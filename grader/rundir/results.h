/*
 * results.h - what is known so far about the units and nodes of a run: all results and node records
 * that lie in the run directory.
 */
#ifndef RUNDIR_RESULTS_H
#define RUNDIR_RESULTS_H

#include <stdbool.h>

#include "base/err.h"
#include "model/result.h"
#include "rundir/run.h"

struct results {
    struct unit_result **unit; /* one per plan unit; NULL while unknown */
    bool *first;               /* its first result counts, because it is timed further */
    unsigned unit_count;
    int *attempts; /* infrastructure failures seen per unit */
    struct node_record **node;
    unsigned node_count;
};

/* Read everything, for the command that drives the run and holds its lock. Units that are preset in
 * the plan get their preset verdict. With `final`, units without a result become infra-error, with
 * the reason as far as it is known.
 *
 * A damaged result is moved aside (result.json.damaged) and counted as an infrastructure failure.
 * Returns 1 when there was one, with e naming it; 0 when there was none; -1 when one cannot be
 * moved aside, or when a file cannot be opened or read. Such a file may be whole, so it stays. In
 * every case *out is filled, and the caller frees it with results_free(). */
int results_collect(const struct run *r, bool final, struct results *out, struct err *e);
/* The same without `final` for all other commands: damaged files stay where they are, too. */
int results_load(const struct run *r, struct results *out, struct err *e);

/* A file that gives no result. */
struct results_bad {
    const char *unit_id; /* NULL: it is a node record, or the directory of these */
    const char *path, *why;
    bool unread; /* it could not be opened or read; else what is in it is damaged */
};
typedef void results_bad_file(void *arg, const struct results_bad *b);
/* As results_load(), but each bad file is told to `bad` (NULL: to nobody). */
int results_read(const struct run *r, struct results *out, results_bad_file *bad, void *arg);
/* Unit i has no result and will not get one: make it infra-error for a reason; NULL: there is none.
 */
void results_give_up(const struct run *r, struct results *res, unsigned i, const char *reason);
/* For the result of unit i, take its first one, or none if there is no such file. */
void results_take_first(const struct run *r, struct results *res, unsigned i);
/* Unit i was not run, and nobody is to blame. */
void results_skip(const struct run *r, struct results *res, unsigned i, const char *reason);
/* As results_give_up(), as `final` does, for each unit without a result that has used up its
 * attempts (resume_options_ended()).
 */
void results_end(const struct run *r, struct results *res);
/* Move the result of unit i aside, so that the unit runs again. Counted as a failure for the reason
 * `why`. */
int results_redo(const struct run *r, unsigned i, const char *why, struct err *e);
void results_free(struct results *res);

/* Number of units without a result. */
unsigned results_left(const struct results *res);
/* The record of the node and yardstick that a unit was timed with; NULL when there is none. */
const struct node_record *results_node(const struct results *res, const struct unit_result *u);

#endif
