/*
 * unit_work.h - the state of a unit that was built, while its cases run; and its driver process.
 */
#ifndef PROCTOR_UNIT_WORK_H
#define PROCTOR_UNIT_WORK_H

#include <stdbool.h>
#include <stdint.h>

#include "build/build.h"
#include "measure/harness_check.h"
#include "model/result.h"
#include "proctor/unit_job.h"
#include "supervise/cores.h"
#include "supervise/driver_process.h"
#include "supervise/outcome.h"

struct unit_work {
    /* input */
    const struct unit_job *job;
    const struct build *built;
    struct harness *harness;
    struct unexplained_end *end; /* in and out */

    /* state */
    struct driver_process driver;
    struct driver_spec spec; /* of every driver; its strings are borrowed */
    struct cores cores;      /* that the current launch runs on */
    uint64_t deadline;       /* CLOCK_MONOTONIC ns */
    unsigned protections;    /* that every driver so far had */
    int failures;            /* drivers lost through the kernel's fault */
    bool over;               /* no further cases */
    bool wrong;              /* a case failed, so nothing is timed */
    bool race;               /* one was found, so no more are looked for */

    /* output */
    struct unit_result *result;
};

/* One launch of a unit. */
struct launch_task {
    int index; /* of the tier's launches; -1: a stress run */
    struct launch launch;
    uint64_t first_run; /* number of its first values; no two launches see the same values */
    int runs;           /* of each correctness case */
    bool timed;
};

/* Replace the driver by a new one. 0, or -1 with *o. */
int unit_driver_restart(struct unit_work *w, struct outcome *o);

/* Make sure that a driver runs. 0: it does, or *f says that the student's code is the reason why it
 * does not; -1: infrastructure trouble. */
int unit_driver_ensure(struct unit_work *w, struct finding *f, struct err *e);

/* A step has lost the driver. 0: the student's code is the reason, and *f says so; -1:
 * infrastructure trouble. */
int unit_driver_lost(struct unit_work *w, const struct outcome *o, struct finding *f,
                     struct err *e);

/* Keep what the driver printed, and end it. */
void unit_driver_end(struct unit_work *w);

/* Is more than half of the unit's time left? Looking for races must leave the other half to what
 * has to be done. */
bool unit_time_to_spare(const struct unit_work *w);

#endif
