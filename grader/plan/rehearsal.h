/*
 * rehearsal.h - the mutants of a rehearsal: changed copies of the reference, as submissions.
 *
 * Each is the reference in one tier with one change (model/mutant.h), in the tier's source or in a
 * header that it includes. Which changes are taken follows from the seed: the same assignment, the
 * same reference and the same seed give the same mutants.
 */
#ifndef PLAN_REHEARSAL_H
#define PLAN_REHEARSAL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "model/assignment.h"
#include "model/mutant.h"

struct rehearsal_request {
    const char *assignment; /* file */
    const char *profile;    /* NULL: none */
    char *const *tiers;     /* only these; none: all that run on the host */
    size_t tiers_count;
    uint64_t seed;
    int most; /* mutants; every tier gets the same share */
};

struct rehearsal_mutant {
    char id[24];  /* of the submission: "m001" */
    int tier;     /* index in the assignment */
    char *source; /* file of the tier */
    char *file;   /* that is changed: the source, or a header */
    char *text;   /* what that change is, for people */
    struct mutant mutant;
};

struct rehearsal {
    struct assignment *assignment;
    struct rehearsal_mutant *item;
    size_t count;
    size_t places;      /* changes that there are in all */
    char key[HASH_HEX]; /* other assignments, sources and mutants have another one */
};

/* Choose the mutants. The caller frees *out with rehearsal_free(), also after an error. */
int rehearsal_make(const struct rehearsal_request *req, struct rehearsal *out, struct err *e);
void rehearsal_free(struct rehearsal *r);

/* Write a submission below `dir` for each mutant i with which[i]; which NULL: for all. probes: with
 * traps instead of the changes (mutant_probe()). */
int rehearsal_write(const struct rehearsal *r, const bool *which, bool probes, const char *dir,
                    struct err *e);

#endif
