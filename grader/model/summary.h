/*
 * summary.h - what the samples of a case say: the one rule from raw samples to intervals.
 */
#ifndef MODEL_SUMMARY_H
#define MODEL_SUMMARY_H

#include <stdbool.h>

#include "model/result.h"

/* With fewer undisturbed samples than this, all count. */
enum { SUMMARY_FEW = 3 };

/* How far from its pace an undisturbed node's yardstick may be, as a factor; and how far where
 * there is nothing better. */
#define SUMMARY_CALM 1.03
#define SUMMARY_RESTLESS 1.1

struct summary {
    struct interval seconds;    /* of one call */
    struct interval relative;   /* yardstick seconds / unit seconds, as if at the same moment */
    struct interval end_to_end; /* of one call with the copies; n = 0: no device */
    bool precise; /* calm, near the pace, and the median's interval as narrow as asked for */
};

/* How calm a node was, judged by the yardstick beside the samples alone. */
struct calm {
    unsigned samples; /* that count as undisturbed */
    double level;     /* how far from its pace the yardstick may be: 1.03 when that leaves enough of
                         them, else up to 1.1 */
};

/* Set `disturbed` of all samples, at the strictest level that leaves `wanted` of them calm, or at
 * the mildest. beside[i]: how far the yardstick's time beside sample i was from its pace, as a
 * factor; INFINITY for a sample that is disturbed in any case. */
struct calm summary_mark(struct sample *samples, const double *beside, unsigned count,
                         unsigned wanted);

/* The strictest level, at which no sample could be better. */
bool summary_calmest(struct calm c);

/* Interval of the median of the values at the floor, which is the lower quartile: those not above
 * it, at the strictest level that leaves `wanted` of them, or at the mildest. Of trusted code only.
 */
struct interval summary_floor(const double *x, unsigned count, unsigned wanted);

/* Medians of the undisturbed samples with their intervals; of all samples, when those are too few.
 *
 * pace: the yardstick's seconds in the node's record, with which relative speeds are compared; NAN
 * where there is none. Where the yardstick beside a sample took another time, the kernel may have
 * been slowed or sped up like it, or not: `relative` is in the middle, or the lower of the two
 * where samples were disturbed, and its interval has both. */
struct summary summary_of(const struct sample *samples, unsigned count, double yard_expected,
                          double precision);

/* The median of those of `values` (one for each sample; NAN: not seen) that belong to undisturbed
 * samples; NAN without any. */
double summary_undisturbed(const struct sample *samples, const double *values, unsigned count);

#endif
