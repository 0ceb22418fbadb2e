/*
 * paths.h - where things lie in a run directory; rundir/parts.def lists all of them.
 *
 * Every function returns a heap string that the caller frees. `run` is the run directory.
 */
#ifndef RUNDIR_PATHS_H
#define RUNDIR_PATHS_H

#include "model/assignment.h"

char *rundir_plan(const char *run);
char *rundir_assignment(const char *run);
char *rundir_overrides(const char *run);
char *rundir_resume_options(const char *run);
char *rundir_sources(const char *run, const char *submission_id);
char *rundir_adapters(const char *run);
/* The adapter of a tier that has one. */
char *rundir_adapter(const char *run, const struct tier *t);
/* What the students were given to start with. */
char *rundir_template(const char *run);
/* The files of matrices that sizes name: below this directory as they were beside the assignment.
 */
char *rundir_matrices(const char *run);
char *rundir_matrix(const char *run, const struct sparse *m);
/* The kernel file and its trusted source, and one of them. */
char *rundir_kernel(const char *run);
char *rundir_kernel_file(const char *run, const char *name);
char *rundir_nodes(const char *run);
char *rundir_node(const char *run, const char *host, const char *yardstick);
/* The library that a node built from the reference's source of a tier. */
char *rundir_reference(const char *run, const char *host, const char *tier);
char *rundir_unit(const char *run, const char *unit_id);
char *rundir_result(const char *run, const char *unit_id);
/* The first result of a unit whose times were taken up again (execute/again.h). */
char *rundir_first_result(const char *run, const char *unit_id);
/* tag: of an attempt (rundir/attempts.h) */
char *rundir_attempt(const char *run, const char *unit_id, const char *tag);
char *rundir_failure(const char *run, const char *unit_id, const char *tag);
char *rundir_proctor_log(const char *run, const char *unit_id, const char *tag);
char *rundir_slurm(const char *run);
/* The hint to the next unit of an array (rundir/claim.h). */
char *rundir_next(const char *run, int array);
char *rundir_lock(const char *run);
char *rundir_receipts(const char *run);

#endif
