/*
 * summary.h - what the samples of a case say: the one rule from raw samples to intervals.
 */
#ifndef MODEL_SUMMARY_H
#define MODEL_SUMMARY_H

#include <stdbool.h>

#include "model/result.h"

/* With fewer undisturbed samples than this, the fastest quarter of all counts, and at least so
 * many.
 */
enum { SUMMARY_FEW = 3 };

/* How far from its pace a calm node's yardstick may be, as a factor, and how far above the lower
 * quartile of the calm samples one of them; and how far where there is nothing better. */
#define SUMMARY_CALM 1.03
#define SUMMARY_RESTLESS 1.1

struct summary {
    struct interval seconds;    /* of one call */
    struct interval relative;   /* yardstick seconds / unit seconds, as if at the same moment */
    struct interval end_to_end; /* of one call with the copies; n = 0: no device */
    bool precise; /* calm, near the pace, and the median's interval as narrow as asked for */
};

/* How calm a node was. Nothing makes a program much faster than it is, so what lies above the
 * floor, of a kernel's own times or of the yardstick's beside it, is somebody else's doing. The
 * floor is the lower quartile: the smallest would be the lower, the longer one looks. */
struct calm {
    unsigned samples; /* that count as undisturbed */
    double level;     /* how far above the floor they may lie: 1.03 when that leaves enough of them,
                         else up to 1.1 */
};

/* Set `disturbed` of all samples, at the strictest level that leaves `wanted` of them calm, or at
 * the mildest. beside[i]: how far the yardstick's time beside sample i was from its pace, as a
 * factor; INFINITY for a sample that is disturbed in any case. */
struct calm summary_mark(struct sample *samples, const double *beside, unsigned count,
                         unsigned wanted);

/* The strictest level, at which no sample could be better. */
bool summary_calmest(struct calm c);

/* Interval of the median of the values at the floor: those not above it, at the strictest level
 * that leaves `wanted` of them, or at the mildest. */
struct interval summary_floor(const double *x, unsigned count, unsigned wanted);

/* Intervals over the samples that nothing disturbed; over the fastest ones, when those are too few.
 *
 * pace: the yardstick's seconds in the node's record, with which relative speeds are compared; NAN
 * where there is none. Where the yardstick beside a sample took another time, the kernel may have
 * been slowed or sped up like it, or not: `relative` is in the middle, and its interval has both.
 */
struct summary summary_of(const struct sample *samples, unsigned count, double pace,
                          double precision);

/* The median of those of `values` (one for each sample; NAN: not seen) that belong to undisturbed
 * samples; NAN without any. */
double summary_undisturbed(const struct sample *samples, const double *values, unsigned count);

#endif
