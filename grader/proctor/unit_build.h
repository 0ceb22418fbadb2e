/*
 * unit_build.h - the source of a unit becomes a library: once, or once for each combination of a
 * sweep.
 */
#ifndef PROCTOR_UNIT_BUILD_H
#define PROCTOR_UNIT_BUILD_H

#include "base/err.h"
#include "build/build.h"
#include "model/result.h"
#include "proctor/unit_job.h"
#include "supervise/outcome.h"

/* What build_tier() is to do for this unit. The unit's texts are borrowed. */
struct build_job unit_build_job(const struct unit_job *job);

/* The limits of a further build of the unit, which nothing is graded by: most_ms at most, and the
 * time until `deadline` (CLOCK_MONOTONIC ns, of the unit). */
struct limits unit_build_extra(const struct unit_job *job, int64_t most_ms, uint64_t deadline);

/* Build it in the directory of the job. A library without the kernel's function is a build error.
 * What all libraries of a unit have in common is recorded; its texts are taken out of *b. The
 * caller frees *b with build_free(). 0; -1 for infrastructure trouble: with end->now, the compiler
 * was killed and the unit is to be tried again. */
int unit_build(const struct unit_job *job, struct build *b, struct unexplained_end *end,
               struct unit_result *r, struct err *e);

/* What to say of something that was built where job->missing keeps it from running. The caller
 * frees it. */
char *unit_build_skipped(const struct unit_job *job);
/* The same of something that compiles for an architecture which is not known to be that of this
 * node: struct build, elsewhere. */
char *unit_build_elsewhere(const struct unit_job *job, const char *architecture);

#endif
