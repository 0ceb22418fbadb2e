/*
 * race.h - what repeated runs show: whether a wrong result comes from a race, and how many runs are
 * needed to see it again.
 */
#ifndef MODEL_RACE_H
#define MODEL_RACE_H

#include <stdbool.h>

/* Runs of one case under one launch with the same values. At least one run was wrong. */
struct race_evidence {
    int workers;          /* ranks x threads */
    bool alone_failed;    /* the case is also wrong with a single worker */
    int runs;             /* with these values */
    int wrong;            /* of them */
    int different_wrongs; /* results among the wrong ones that differ from each other */
};

/* A program without a race gives the same result for the same values. A program that is also wrong
 * with one worker has another mistake: if its results differ, it reads memory that was never set.
 */
bool race_found(const struct race_evidence *e);

/* The number of runs after which a failure with this frequency is almost certain. */
int race_repeat(int failed, int runs);

#endif
