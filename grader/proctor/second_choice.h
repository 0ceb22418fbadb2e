/* second_choice.h - which units are built a second time, and how that build is launched. */
#ifndef PROCTOR_SECOND_CHOICE_H
#define PROCTOR_SECOND_CHOICE_H

#include "model/verdict.h"
#include "proctor/unit_job.h"

/* before: of the unit's cases. deadline: of the unit, CLOCK_MONOTONIC ns. */
bool second_is_wanted(const struct unit_job *job, uint64_t deadline, enum verdict before);

/* The launch with the most workers that have a core each; else the one with the fewest above one.
 */
struct launch second_launch(const struct unit_job *job);

/* The cases that check the tier. Small ones come first: they show most mistakes, and blocks that
 * were allocated for the first call are too small for later ones. The caller frees the array; the
 * cases are the run's. */
const struct test_case **second_cases(const struct unit_job *job, size_t *count);

#endif
