/*
 * expected_time.h - how fast the yardstick is known to run on this node, and how the node is just
 * now.
 *
 * Judged by the yardstick alone: what a student's kernel does must not change what other units are
 * measured by.
 */
#ifndef MEASURE_EXPECTED_TIME_H
#define MEASURE_EXPECTED_TIME_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "kernel/shape.h"

struct expected_time {
    struct shape shape;
    double recorded; /* seconds, by the node's record; NAN: it has none */
    double seconds;  /* what is taken for it now: that, or more where the node is never calm;
                        without a record, the fastest that has been seen */
};

/* How the node was while a case was timed. */
struct interference {
    double fastest;       /* seconds of the yardstick */
    double calmest;       /* the slower one of two times in a row, where that was least */
    uint64_t restless_ns; /* for so long the node was slower than a calm one */
};
#define INTERFERENCE_INIT                                                                          \
    ((struct interference){.fastest = (double)INFINITY, .calmest = (double)INFINITY})

/* The yardstick's times around a sample, which took `ns` with all that belongs to it. */
void interference_note(struct interference *w, double before, double after,
                       const struct expected_time *p, uint64_t ns);

/* What the weather says of the pace. patient: more time could have been spent on waiting. A node
 * that was never calm will hardly be so a moment later, so the next case need not wait as long;
 * when it is faster again, so is its pace, but never faster than the record, which the baseline
 * belongs to. */
void expected_time_update(struct expected_time *p, const struct interference *w, bool patient);

#endif
