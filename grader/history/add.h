/*
 * add.h - add a run to the history.
 */
#ifndef HISTORY_ADD_H
#define HISTORY_ADD_H

#include "history/store.h"
#include "rundir/results.h"

/* Add what the run says about its nodes, in one transaction. A run that is there already is
 * replaced, so adding it twice is the same as adding it once. *added: times; may be NULL. */
int history_add(struct store *s, const struct run *r, const struct results *res, size_t *added,
                struct err *e);

/* The same for the history in a file; NULL: there is none. The runs of students (self-tests) are
 * not added. */
int history_add_to(const char *path, const struct run *r, const struct results *res, struct err *e);

/* Is the run in the history? 1, 0, or -1 with e. */
int history_has(struct store *s, const struct run *r, struct err *e);

#endif
