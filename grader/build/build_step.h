/*
 * build_step.h - run one program of a build. All of them share the time that a build has.
 */
#ifndef BUILD_BUILD_STEP_H
#define BUILD_BUILD_STEP_H

#include "base/err.h"
#include "base/proc.h"
#include "build/build.h"

/* Run `argv`, which ends with NULL, for as long as the build's time lasts. base: how programs of
 * this build are run. b->seconds and b->held_up_seconds grow. 0: it ran, and *r says how it ended.
 * -1: it is not installed, cannot be started, or the grader was told to stop. The caller frees *r
 * in any case. */
int build_step(struct build *b, const struct build_job *job, const struct proc_spec *base,
               char *const *argv, struct proc_result *r, struct err *e);

#endif
