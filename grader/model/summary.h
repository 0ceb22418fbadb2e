/*
 * summary.h - what the blocks of one case say: speed, time, and what its threads did. Pure.
 */
#ifndef MODEL_SUMMARY_H
#define MODEL_SUMMARY_H

#include "model/estimate.h"

struct summary {
    struct interval relative;   /* yardstick seconds / unit seconds: speed in yardsticks */
    struct interval seconds;    /* of one call: the yardstick's expected time over `relative` */
    struct interval end_to_end; /* of one call with the copies; n = 0: no device */
    bool precise;               /* the interval is as narrow as asked for */
    double cores; /* of the accepted block in which most cores were busy: how many; NAN: unknown */
    double busiest; /* the share of that block's processor time that one thread had; NAN: unknown */
};

/* expected: the yardstick's seconds. precision: half of the interval, as a share. */
struct summary summary_of(const struct block *b, size_t n, double expected, double precision);

#endif
