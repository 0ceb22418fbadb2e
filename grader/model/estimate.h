/*
 * estimate.h - from timed runs to a speed with an interval: the rules of measuring, all of them.
 *
 * Pure: no clock, no files, no random numbers. The proctor follows the rules while it measures
 * (measure/measurement.h), whoever reads a result applies them to the samples in it, and
 * tests/simulate tries them on recorded times and in worlds whose truth is known.
 *
 * Interference only adds time, so the least disturbed runs say how fast a kernel is:
 *
 *   1. A unit is timed in several starts of its process. The time of a start is its second fastest
 *      run; of fewer than four runs, the fastest.
 *   2. The time of the unit is that of the second fastest start. One lucky or dishonest run or
 *      start counts for nothing.
 *   3. The yardstick, a trusted kernel, is timed in the same starts: beside the unit, and alone
 *      before each start. The better of the two counts, so a unit that slows the yardstick gains
 *      nothing; and then the second fastest start. The node was undisturbed in a start if this was
 *      no more than ESTIMATE_GATE above the yardstick's best time on this node, the record; and if
 *      the unit has several cores, the same holds for another one of them, each in turn.
 *   4. The speed is the yardstick's time over the unit's. It is confirmed if the two fastest starts
 *      agree within the precision, and the node was undisturbed in ESTIMATE_STARTS of the starts.
 *      Starts go on until then, or until the budget is spent.
 *   5. The interval says where the speed in another grading lies in 95 of 100 cases.
 */
#ifndef MODEL_ESTIMATE_H
#define MODEL_ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/stats.h"

enum {
    /* Runs in a start, if the budget allows. More say little more: pages and placement stay. */
    ESTIMATE_RUNS = 8,
    /* Undisturbed starts. A kernel can be slow for some tenths of a second for reasons of its own;
     * with fewer starts, two slow ones are called agreement too often. */
    ESTIMATE_STARTS = 4,
};
/* How much slower than its record the yardstick may be. A third more lets a unit on a node that
 * another program slows a little be called confirmed. A third less keeps calm nodes unconfirmed,
 * whose best times of hundreds of starts lie that much below their usual ones. */
#define ESTIMATE_GATE 0.03
/* The half width of the interval is this factor times the square root of a sum of squares: of what
 * the three fastest starts differ by, for the unit and for the yardstick; of half the precision;
 * and of what the yardstick was slower than the gate, since a unit may feel more or less of that.
 * Two gradings are both uncertain: 1.2 is enough to contain the truth, but contained another
 * grading in only 79 of 100 cases (six gradings on two restless cores). */
#define ESTIMATE_FACTOR 1.8
/* For calls that take longer than so many seconds, two starts are enough. */
#define ESTIMATE_LONG 1.0

/* One timed run. Times in seconds, of one problem; what is not known is NAN, what does not exist 0.
 */
struct sample {
    int start;        /* process of the unit, from 0; samples are ordered by it */
    int reps;         /* problems that the run computed */
    double alone;     /* the yardstick, just before this process was started */
    double other;     /* the same on another core of the unit; 0: it has one core */
    double yardstick; /* just before this run */
    double unit;
    /* Not for the estimate. */
    double cores;      /* threads running or ready to run, on average; NAN: unknown */
    double busiest;    /* share of the processor time that one thread had, 0..1; NAN: unknown */
    double end_to_end; /* with the copies to and from the device; 0: it has no device */
    double device;     /* by the device's own events */
};

struct estimate {
    struct interval relative;   /* yardstick seconds / unit seconds: speed in yardsticks */
    struct interval seconds;    /* of one call of the unit, with the same interval */
    struct interval end_to_end; /* the same with the copies; n = 0: no device */
    double yardstick;           /* seconds; NAN: it was not timed */
    double typical;             /* the median run over `seconds`, from 1 */
    double differ;              /* by which the three fastest starts do, a share; NAN: unknown */
    unsigned starts;
    bool agreed;      /* the two fastest starts do */
    bool undisturbed; /* the yardstick was as fast as its record in enough of the starts */
    bool confirmed;   /* both */
};

/* What n samples say. record: the yardstick's best time on this node; NAN: unknown. precision: by
 * which starts may differ, as a share. Without samples everything is NAN, and n is 0. */
struct estimate estimate_of(const struct sample *s, size_t n, double record, double precision);

/* The yardstick's time in samples taken alone, by rule 2; NAN without samples. The best of these is
 * the record. */
double estimate_alone(const struct sample *s, size_t n);

/* What has been measured of a unit at one size so far, and at what cost. */
struct estimate_progress {
    const struct sample *sample;
    size_t count;
    double record, precision;
    double budget; /* seconds of wall time for all starts */
    double spent;  /* of it */
    double last;   /* what the last start took */
};

/* Is another start wanted? */
bool estimate_wants_start(const struct estimate_progress *p);

/* How many runs a start takes, if one of them takes so many seconds, with all that belongs to it.
 */
unsigned estimate_runs(double budget, double run);

#endif
