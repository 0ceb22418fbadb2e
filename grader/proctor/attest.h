/*
 * attest.h - does a unit do what its tier is about, and can its times be true? The answer is yes,
 * no or unknown, with the evidence in one line for the instructor. Pure.
 *
 * A no is a flag and not a verdict: it costs no points, and a person decides what it means. So
 * every rule must leave room for honest programs. Where nothing could be seen, the answer is
 * unknown.
 */
#ifndef PROCTOR_ATTEST_H
#define PROCTOR_ATTEST_H

#include <stdbool.h>
#include <stddef.h>

#include "build/vectors.h"
#include "model/assignment.h"
#include "model/result.h"

/* One launch at one size, as it was timed. */
struct attest_timed {
    struct launch launch;
    double operations;             /* of the size; the largest size decides */
    double cores_used, busiest;    /* as in struct case_result */
    const struct rank_work *ranks; /* borrowed */
    unsigned ranks_count;
    bool disturbed;
    double seconds; /* 0: not confirmed */
};

struct attest_evidence {
    struct vectors vectors;
    bool sums_suffice;   /* the kernel needs no multiplication */
    const char *options; /* where the source changes the compiler's options, or NULL */
    const char *outside; /* where it includes a file that is not handed in, or NULL */
    const struct attest_timed *timed;
    unsigned timed_count;
    const struct device_profile *profile; /* NULL or empty: there is none */
    const char *too_fast;                 /* a doubtful time, in words; NULL: there is none */
};

/* Answer the questions in the set `attest` (enum attest_kind). The result is no if any answer is
 * no, and yes if all are yes. Whatever the set is, it is also no for a time that is too fast, for
 * an efficiency that is too high, and for a file that is not handed in. *text receives
 * the evidence, "" if there is none; the caller frees it. */
enum attested attest_decide(unsigned attest, const struct attest_evidence *e, char **text);

/* Signs that the work was not divided, for the student: also where the tier asks for no evidence,
 * and where nothing is flagged. Lines, "" if there is none; the caller frees it. asked: the set
 * that attest_decide() has answered. */
char *attest_remarks(unsigned asked, const struct attest_evidence *e);

#endif
