/*
 * unit_attest.h - can a unit's times be true, and did it do what its tier is about? Collects the
 * evidence for plausible.h and attest.h.
 */
#ifndef PROCTOR_UNIT_ATTEST_H
#define PROCTOR_UNIT_ATTEST_H

#include <stddef.h>

#include "build/build.h"
#include "model/result.h"
#include "proctor/unit_job.h"

/* A time that cannot be true changes the verdict of its case. too_fast, of `cap` bytes, receives
 * the worst of the times that are only doubtful, in words, or "". Does nothing if there is no
 * record of the node. */
void unit_attest_times(const struct unit_job *job, struct unit_result *r, char *too_fast,
                       size_t cap);

/* For a unit that passed: fills `attested` and `evidence` of the result. */
void unit_attest(const struct unit_job *job, const struct build *built, const char *too_fast,
                 struct unit_result *r);

#endif
