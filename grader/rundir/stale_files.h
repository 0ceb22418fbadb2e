/*
 * stale_files.h - what writers that were killed leave behind.
 *
 * Files are written under a temporary name and renamed; a process that is killed in between leaves
 * the temporary. They do no harm, but add up.
 */
#ifndef RUNDIR_STALE_FILES_H
#define RUNDIR_STALE_FILES_H

#include "rundir/results.h"

/* In a run that this process has locked. The directory of a unit without a verdict is left alone: a
 * proctor that was given up may still publish its result. */
void stale_files_remove(const struct run *r, const struct results *res);

/* Plans that were never finished, beside the one being made in `mine`; old enough that nobody can
 * be at work on them. */
void stale_files_remove_plans(const char *reports_dir, const char *mine);

#endif
