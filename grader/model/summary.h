/*
 * summary.h - what the samples of a case say: the one rule from raw samples to intervals.
 */
#ifndef MODEL_SUMMARY_H
#define MODEL_SUMMARY_H

#include <stdbool.h>

#include "model/result.h"

/* With fewer undisturbed samples than this, all of them count. */
enum { SUMMARY_FEW = 3 };

struct summary {
    struct interval seconds;    /* of one call */
    struct interval relative;   /* yardstick seconds / unit seconds */
    struct interval end_to_end; /* of one call with the copies; n = 0: no device */
    bool precise;               /* calm, and the interval is within the precision asked for */
};

/* Mark as disturbed what took a tenth longer than the fastest undisturbed sample: nothing makes a
 * program faster than it is, so what lies above the floor is somebody else's doing. Returns how
 * many are left undisturbed. */
unsigned summary_mark_slow(struct sample *samples, unsigned count);

/* Intervals over the samples that nothing disturbed; over all, when those are too few. */
struct summary summary_of(const struct sample *samples, unsigned count, double precision);

#endif
