/*
 * second_cause.h - why a case is wrong in the second build: was a value never set, or do threads
 * disturb each other?
 */
#ifndef PROCTOR_SECOND_CAUSE_H
#define PROCTOR_SECOND_CAUSE_H

#include "measure/harness_check.h"
#include "proctor/second_build.h"
#include "supervise/driver_process.h"

/* A case that gave a wrong result, or ended the process. Everything is borrowed. */
struct wrong_case {
    const struct unit_job *job;
    const struct second_build *build;
    const struct driver_spec *spec; /* of the driver, which has ended */
    const struct test_case *test_case;
    const struct finding *finding;
    uint64_t deadline; /* of the unit, CLOCK_MONOTONIC ns */
    bool race_is_told; /* then only what is new is said of it */
};

/* The cause in words, or NULL when it is not known. The caller frees it.
 *
 * A value was never set, if the result is right where local variables and fresh memory start as
 * zero. It is a race, if the same values gave different results, or if threads share and write
 * variables and one worker is right; then these variables are named, where the compiler tells them.
 */
char *second_cause(const struct wrong_case *w);

/* The same where only a race will do; NULL if threads share nothing that they write, or one worker
 * fails as well. The caller frees it. */
char *second_race(const struct wrong_case *w);

/* The cause where the same values gave different results, from the sources alone; told: the race
 * itself was told, NULL if there is nothing to add. The caller frees it. */
char *second_known_race(const struct unit_job *job, struct launch l, bool told, uint64_t deadline);

/* What becomes of the case with one worker, who has nobody to race with; VERDICT_INFRA_ERROR if
 * that run did not end. */
enum verdict second_alone(const struct wrong_case *w);

/* What task_variables.h says of the sources, if the library makes tasks; "" for nothing. The caller
 * frees it. */
char *second_task_variables(const struct unit_job *job, const char *library, uint64_t deadline);

/* What lost_writes.h says of the sources; "" for nothing. The caller frees it. */
char *second_lost_writes(const struct unit_job *job, uint64_t deadline);

#endif
