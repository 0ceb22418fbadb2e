/*
 * plausible.h - whether a measured time can be true. It compares what a case computes and moves per
 * second with the most that the node was measured to do. Pure: the proctor decides with it, and
 * `verify` decides again.
 */
#ifndef MODEL_PLAUSIBLE_H
#define MODEL_PLAUSIBLE_H

#include <stddef.h>

#include "kernel/kernel.h"
#include "model/result.h"

/* From good to bad. */
enum plausible {
    PLAUSIBLE_YES,     /* or too little is known to say otherwise */
    PLAUSIBLE_FLAGGED, /* a person should look at it: verdict and points stay */
    PLAUSIBLE_NO,      /* the time cannot be true */
};

struct plausibility {
    enum plausible is;
    bool memory;          /* rate and ceiling are of memory traffic; else of arithmetic */
    double rate, ceiling; /* 10^9 operations, or bytes, per second; 0: unknown */
};

/* Judge the median time of a case. n: the record of the node where it ran, for the yardstick of the
 * unit, or NULL. */
struct plausibility plausible_case(const struct kernel *k, const struct node_record *n,
                                   const struct unit_result *u, const struct case_result *c,
                                   struct shape s);

/* Write "512 GOP/s, 130% of the 394 GOP/s that 4 cores of this node reach at most". */
void plausible_text(const struct plausibility *p, const struct node_record *n,
                    const struct case_result *c, char *out, size_t cap);

#endif
