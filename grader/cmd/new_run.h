/*
 * new_run.h - what `paragrade grade` and `paragrade sweep` share: the way from the options that say
 * what a new run consists of to the tables.
 */
#ifndef CMD_NEW_RUN_H
#define CMD_NEW_RUN_H

#include <stddef.h>

#include "cmd/options.h"
#include "plan/planner.h"

/* Plan a new run for the directories of submissions that are the operands, and take it through the
 * pipeline. The plan says what only one of the two commands has; the rest of it comes from the
 * options. Returns the exit status. */
int new_run(const struct options *o, struct plan_request plan);

#endif
