/*
 * plausible.h - can a time be true? What a case computes and moves in its time, over what the node
 * was measured to do at most. Pure: the proctor decides with it, and `verify` decides again.
 */
#ifndef MODEL_PLAUSIBLE_H
#define MODEL_PLAUSIBLE_H

#include <stddef.h>

#include "kernel/kernel.h"
#include "model/result.h"

enum plausible {
    PLAUSIBLE_YES,      /* or nothing is known that would speak against it */
    PLAUSIBLE_DOUBTFUL, /* for a person to look at: verdict and points stay */
    PLAUSIBLE_NO,       /* the time cannot be true */
};

struct plausibility {
    enum plausible is;
    bool memory;          /* it is the memory that cannot do it; else the arithmetic */
    double rate, ceiling; /* 10^9 operations, or bytes, per second; 0: unknown */
};

/* Of the median time of a case that was timed. n: the record of the node that it ran on, for the
 * unit's yardstick, or NULL. */
struct plausibility plausible_case(const struct kernel *k, const struct node_record *n,
                                   const struct unit_result *u, const struct case_result *c,
                                   struct shape s);

/* "512 GOP/s, 130% of the 394 GOP/s that 4 cores of this node reach at most". */
void plausible_text(const struct plausibility *p, const struct node_record *n,
                    const struct case_result *c, char *out, size_t cap);

#endif
