/*
 * new_run.h - the directory of a new run: it is filled under a temporary name, and moved to its own
 * name when it is complete.
 */
#ifndef PLAN_NEW_RUN_H
#define PLAN_NEW_RUN_H

#include "base/err.h"
#include "model/assignment.h"

/* A name made from assignment and local time; the caller frees it. */
char *new_run_id(const struct assignment *a);
/* Make the directory of the runs, if it is not there. */
int new_run_reports_dir(const char *dir, struct err *e);
/* Make the temporary directory. It is the first thing written below reports_dir, so an error names
 * that directory. */
int new_run_mkdir(const char *reports_dir, const char *tmp, struct err *e);
/* Rename without replacing anything. Returns 1 when the name `to` is taken. */
int new_run_move(const char *from, const char *to, struct err *e);

#endif
