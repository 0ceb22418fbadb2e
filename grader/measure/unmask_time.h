/*
 * unmask_time.h - what it costs to take the mask off the inputs on a device.
 *
 * The mask (abi/mask.h) is taken off in the time of each run, and it is not the kernel's work. So
 * its time is subtracted. It is measured on a driver of the same kind that has loaded no library:
 * the unit's own driver could make it look longer.
 */
#ifndef MEASURE_UNMASK_TIME_H
#define MEASURE_UNMASK_TIME_H

#include "measure/harness.h"

struct unmask_clock {
    struct harness *harness;
    struct driver_process *driver; /* the yardstick's if it is of the same kind, or the harness's
                                      blank one; NULL: nothing is masked */
};

/* Prepare the clock for a unit whose driver is alive: start the blank driver, if it is needed. The
 * harness must live as long as the clock. 0, or -1 with *o; then there is nothing to end. */
int unmask_clock_start(struct unmask_clock *c, struct harness *h, const struct driver_process *unit,
                       struct outcome *o);

/* The seconds for `reps` problems, which the arena holds and the yardstick's driver has mapped. 0
 * where nothing is masked. Returns 0, or -1 with *o. */
int unmask_clock_read(struct unmask_clock *c, unsigned reps, double *seconds, struct outcome *o);

void unmask_clock_end(struct unmask_clock *c);

#endif
