/*
 * revision.h - changing a run that exists: regrading and rescoring.
 *
 * The changed run is made in a directory of its own beside the run: what stays the same is linked
 * there, not copied. Then the two directories change places in one step. So an interruption leaves
 * the run either as it was or as it shall be. What was replaced is kept in earlier/<n>/ of the run,
 * for the n-th change; the receipts of the run cover the receipts that lie there.
 *
 * The caller holds the lock of the run.
 */
#ifndef RUNDIR_REVISION_H
#define RUNDIR_REVISION_H

#include "base/err.h"
#include "rundir/parts.h"

/* Make the directory for the changed run, empty but for what earlier changes replaced. What an
 * interrupted change has left is removed. The caller frees *draft. */
int revision_begin(const char *run, char **draft, struct err *e);
/* Link what lies at this path of the run, a file or a directory, to the same path of the draft.
 * Nothing there: nothing happens. */
int revision_keep(const char *run, const char *draft, const char *relative, struct err *e);
/* The same to earlier/<number>/ of the draft. */
int revision_archive(const char *run, const char *draft, unsigned number, const char *relative,
                     struct err *e);
/* The same for the plan, the assignment, the receipts, the tables and what else says what the run
 * was before the change. */
int revision_archive_records(const char *run, const char *draft, unsigned number, struct err *e);
/* Put the draft in the place of the run, and remove what has become useless. */
int revision_commit(const char *run, const char *draft, struct err *e);
/* Remove the draft; the run stays as it is. */
void revision_abandon(const char *draft);

/* Where directories cannot change places in one step (NFS), an interruption can leave no run at
 * all. Put it back. Whoever looks for a run calls this first. */
void revision_recover(const char *run);

#endif
