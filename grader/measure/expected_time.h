/*
 * expected_time.h - how long the yardstick is expected to take on this node, and how much
 * interference there is now.
 *
 * Both are judged by the yardstick's times alone. What the kernel of one student does must not
 * change how other units are measured.
 */
#ifndef MEASURE_EXPECTED_TIME_H
#define MEASURE_EXPECTED_TIME_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/shape.h"

struct expected_time {
    struct shape shape;
    double recorded; /* seconds, from the node's record; NAN: it has none */
    double seconds;  /* what is expected now. With a record: the recorded time, or more on a node
                        that is always slower. Without: the fastest time seen so far */
};

/* One per shape. Owns its items; all zero is empty. */
struct expected_times {
    struct expected_time *item;
    size_t count;
};

void expected_times_free(struct expected_times *t);
/* The entry of a shape, made if it is missing. Valid until the next entry is made. */
struct expected_time *expected_times_get(struct expected_times *t, struct shape shape);
/* Take over what the node's record says of a shape. */
void expected_times_record(struct expected_times *t, struct shape shape, double seconds);

/* What the yardstick's times showed of the node while a case was timed. */
struct interference {
    double fastest;        /* seconds of the fastest run */
    double fastest_pair;   /* of each two runs in a row the slower one; the least of these */
    uint64_t disturbed_ns; /* for so long the yardstick was slower than on an undisturbed node */
};
#define INTERFERENCE_INIT                                                                          \
    ((struct interference){.fastest = (double)INFINITY, .fastest_pair = (double)INFINITY})

/* Add one block: the yardstick's times before and after the sample, and how long all of it took. */
void interference_note(struct interference *i, double before, double after,
                       const struct expected_time *x, uint64_t ns);

/* Adjust the expected time to the interference seen. may_wait: there is still time that can be
 * spent on waiting for an undisturbed node.
 *
 * A node that was disturbed all the time will hardly be undisturbed a moment later. Then the
 * expected time grows, so that the next case need not wait as long. When the node is faster again,
 * the expected time falls, but never below the record: the baseline was timed with that speed. */
void expected_time_update(struct expected_time *x, const struct interference *i, bool may_wait);

#endif
