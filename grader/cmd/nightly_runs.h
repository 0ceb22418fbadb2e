/*
 * nightly_runs.h - the runs of `paragrade nightly`: REPORTS/nightly/NIGHT/NODE. NIGHT is the time
 * (UTC) at which the night began, as "20261124-030000".
 */
#ifndef CMD_NIGHTLY_RUNS_H
#define CMD_NIGHTLY_RUNS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"
#include "history/store.h"
#include "rundir/run.h"

/* The directory of a night that begins now. The caller frees it. */
char *nightly_new(const char *reports);

/* Add every finished run of all nights that is not in the history yet. So what an interrupted night
 * has left is added by the next one. In `night` (may be NULL), the failures of the reference are
 * described in *failures, one a line; so is a run of any night that cannot be read. *added: runs.
 */
int nightly_add_all(struct store *s, const char *reports, const char *night,
                    struct strbuf *failures, size_t *added, struct err *e);

/* Add one run. */
int nightly_add(struct store *s, const struct run *r, struct err *e);

/* Remove the nights that began more than so many days ago. Their times are in the history. Nights
 * that cannot be removed are described in *failures, one a line. */
void nightly_prune(const char *reports, long days, struct strbuf *failures);

#endif
