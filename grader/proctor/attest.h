/*
 * attest.h - was it done the way the tier says, and can its times be true? From what was seen to
 * yes, no or unknown, with the evidence as one line for the instructor.
 *
 * A no is a flag, not a verdict: it costs no points, and a person decides what it means. So every
 * rule here leaves room for the honest, and what could not be seen is never held against anybody.
 */
#ifndef PROCTOR_ATTEST_H
#define PROCTOR_ATTEST_H

#include <stdbool.h>
#include <stddef.h>

#include "build/vectors.h"
#include "model/assignment.h"
#include "model/result.h"

/* One launch shape at one size, as it was timed. */
struct attest_timed {
    struct launch launch;
    double operations;             /* of the size: the largest is the one looked at */
    double cores_used, busiest;    /* as in struct case_result */
    const struct rank_work *ranks; /* borrowed */
    unsigned ranks_count;
    bool disturbed; /* all of its samples were */
};

struct attest_evidence {
    struct vectors vectors;
    const char *options; /* where the source changes the compiler's options, or NULL */
    const struct attest_timed *timed;
    unsigned timed_count;
    const struct device_profile *profile; /* NULL or empty: there is none */
    const char *too_fast;                 /* a time that is doubtful, in words; NULL: none is */
};

/* Look for what the set `attest` (enum attest_kind) names. Any no is a no; a yes needs all. *text
 * receives the evidence, the caller frees it; "" for an empty set. What is too fast is a no,
 * whatever is asked for. Pure. */
enum attested attest_decide(unsigned attest, const struct attest_evidence *e, char **text);

#endif
