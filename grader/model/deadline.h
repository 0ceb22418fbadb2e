/*
 * deadline.h - until when an assignment is to be handed in, and what a late submission loses. Pure.
 */
#ifndef MODEL_DEADLINE_H
#define MODEL_DEADLINE_H

#include <stdbool.h>
#include <stdint.h>

struct deadline {
    bool given;
    int64_t at;       /* seconds since 1970, UTC */
    int offset_s;     /* from UTC, as it is written: times are told in this zone */
    int64_t grace_s;  /* so much later is not late */
    int64_t every_s;  /* each period of this length that has begun ... */
    double penalty;   /* ... costs this share of the points */
    double most;      /* the largest share */
    int64_t closed_s; /* what comes more than this later gives no points; 0: no limit */
    bool from_files;  /* without a time in submitted.csv, the newest of its files counts */
};

/* The share of the points that a submission loses which came so many seconds late, 0..1. */
double deadline_penalty(const struct deadline *d, int64_t late_s);

#endif
