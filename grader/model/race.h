/*
 * race.h - what repeated runs say: whether a wrong result comes from a race, and how many runs it
 * takes to see it again.
 */
#ifndef MODEL_RACE_H
#define MODEL_RACE_H

#include <stdbool.h>

/* Runs of one case under one launch shape with the same values, at least one of which was wrong. */
struct race_evidence {
    int workers;          /* ranks x threads */
    bool alone_failed;    /* the case is wrong with a single worker, too */
    int runs;             /* with these values */
    int wrong;            /* of them */
    int different_wrongs; /* results among the wrong ones that differ from each other */
};

/* A program without a race gives the same result for the same values. One that is wrong with one
 * worker, too, has another mistake: what changes there is memory that was never set. */
bool race_found(const struct race_evidence *e);

/* Runs after which a failure of this share has almost certainly shown. */
int race_repeat(int failed, int runs);

#endif
