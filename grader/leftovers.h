/*
 * leftovers.h - what writers that were killed leave behind.
 *
 * Files are written under a temporary name and renamed; a process that is killed in between leaves
 * the temporary. They do no harm, but add up.
 */
#ifndef GRADER_LEFTOVERS_H
#define GRADER_LEFTOVERS_H

#include "run.h"

/* In a run that this process drives. A unit that has no verdict is left alone: a proctor that was
 * given up may be about to publish after all. */
void leftovers_remove(const struct run *r, const struct results *res);

/* Plans that were never finished, beside the one being made in `mine`; old enough that nobody can
 * be at work on them. */
void leftovers_remove_plans(const char *reports_dir, const char *mine);

#endif
