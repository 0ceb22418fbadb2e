/*
 * calibration.h - the node's record: what this node can do at most, and how fast baseline and
 * yardstick are on it. The first proctor of a run on the node measures it, all others read it.
 */
#ifndef MEASURE_CALIBRATION_H
#define MEASURE_CALIBRATION_H

#include "base/err.h"
#include "measure/harness.h"
#include "measure/timing_lock.h"

struct calibration_task {
    const char *run;       /* directory */
    const char *node;      /* node_key() */
    const char *yardstick; /* tier of the reference */
    const char *job;       /* Slurm's, or local-...: for people who ask what is going on */
    struct harness *harness;
    struct timing_lock *timing_lock;
    const struct case_list *cases;
    /* Build the baseline, if it must be timed. The caller frees *library. 0, or -1. */
    int (*build_baseline)(void *with, char **library, struct err *e);
    void *with;
    const char *cached;          /* where the record is kept between runs; NULL: nowhere */
    const char *cached_ceilings; /* likewise, of any assignment */
};

/* Make sure that the node's record for this yardstick exists, and tell the harness the yardstick's
 * best times in it. A cached record is used; what is not confirmed in it is measured anew. The
 * proctors of a node take turns, so that it is measured once. For a yardstick without the baseline
 * (yardstick_has_baseline()), the record of the assignment's yardstick must exist. 0, or -1, also
 * when the record exists and cannot be read. */
int calibration_ensure(const struct calibration_task *t, struct err *e);

#endif
