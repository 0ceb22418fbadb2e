/*
 * summary.h - what the samples of a case say: the one rule from samples to intervals. Pure.
 */
#ifndef MODEL_SUMMARY_H
#define MODEL_SUMMARY_H

#include <stdbool.h>

#include "model/result.h"

/* If fewer samples than this are accepted, all count. */
enum { SUMMARY_FEW = 3 };

/* A sample is accepted if the yardstick beside it differs from its expected time by no more than a
 * factor. There are several levels; these are the strictest and the mildest one. */
#define SUMMARY_STRICTEST 1.03
#define SUMMARY_MILDEST 1.1

struct summary {
    struct interval seconds;    /* of one call */
    struct interval relative;   /* yardstick seconds / unit seconds, as if at the same moment */
    struct interval end_to_end; /* of one call with the copies; n = 0: no device */
    bool precise; /* enough samples are accepted, with the yardstick near its expected time, and
                     the interval is as narrow as asked for */
};

/* Which samples were accepted. */
struct marking {
    unsigned accepted; /* number of samples */
    double level;      /* the factor by which the yardstick may differ from its expected time */
};

/* Decide which samples are accepted: those that are not get `disturbed`. Takes the strictest level
 * at which `wanted` samples are accepted, or else the mildest. apart[i]: the factor by which the
 * yardstick beside sample i differed from its expected time; INFINITY: never accept the sample. */
struct marking summary_mark(struct sample *samples, const double *apart, unsigned count,
                            unsigned wanted);

/* Was this the strictest level? Then no sample could be better. */
bool summary_strictest(struct marking m);

/* The interval of the median of the values near the floor, which is the lower quartile: the values
 * that are above it by no more than the strictest level that leaves `wanted` of them, or else the
 * mildest. For times of trusted code only. */
struct interval summary_floor(const double *x, unsigned count, unsigned wanted);

/* Medians of the accepted samples with their intervals; of all samples, if too few are accepted.
 *
 * expected: seconds of the yardstick in the node's record; NAN: it has none. Relative speeds are
 * relative to this time. If the yardstick beside a sample took another time, the kernel may have
 * been slowed or sped up by the same factor, or not at all. The interval of `relative` contains
 * both answers. Its median is in the middle, or the lower answer if the sample was disturbed. */
struct summary summary_of(const struct sample *samples, unsigned count, double expected,
                          double precision);

#endif
