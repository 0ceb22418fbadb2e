/*
 * calibration.h - what this node is, what it can do at most, and how fast the baseline is on it:
 * measured by the first proctor of a run on the node, read by all others.
 */
#ifndef MEASURE_CALIBRATION_H
#define MEASURE_CALIBRATION_H

#include "base/err.h"
#include "measure/harness.h"
#include "measure/timing_lock.h"
#include "model/result.h"

/* The name under which this node's record and results are kept: Slurm's name for it, else the
 * host name. The caller frees it. */
char *node_key(void);

/* What is to be known of a node before anything is timed beside a yardstick. */
struct node_task {
    const char *run;
    const char *key;
    const char *yardstick; /* tier of the reference */
    struct harness *harness;
    struct timing_lock *timing_lock;
    const struct case_list *cases;
    const char *baseline_library; /* built; NULL for a device, whose baseline is the host's */
};

/* Make sure that the node's record for this yardstick exists, and tell the stand what it says.
 * Proctors of the same node take turns, so that it is measured once. A device's record needs the
 * host's to be there. */
int node_ensure(const struct node_task *t, struct err *e);

#endif
