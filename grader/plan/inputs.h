/*
 * inputs.h - what the result of a unit depends on, compared between a run and its changed version.
 */
#ifndef PLAN_INPUTS_H
#define PLAN_INPUTS_H

#include <jansson.h>

#include "base/hash.h"
#include "rundir/run.h"

/* One version of a run. */
struct inputs {
    const char *dir;
    const struct assignment *assignment;
    const struct case_list *cases;
    const char *reference; /* id of the reference among the submissions */
    const json_t *running; /* model/assignment_running.h */
};

/* Digest of what one tier of a submission is compiled from: names and contents of its sources, all
 * headers, the adapter. */
void inputs_digest(const struct inputs *in, const char *submission, const struct tier *t,
                   const char *source, char out[HASH_HEX]);
/* The same of what was handed in only: without the adapter. */
void inputs_digest_own(const struct inputs *in, const char *submission, const struct tier *t,
                       const char *source, char out[HASH_HEX]);

/* Why all units must run again: a field of the assignment, the test cases, a matrix, what baseline
 * and yardsticks are built from. NULL: they need not. The caller frees it. */
char *inputs_differ_for_all(const struct inputs *was, const struct inputs *is);

#endif
