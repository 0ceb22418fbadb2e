/*
 * count_events.h - a few executions of a timed case with counters, after its timed runs.
 */
#ifndef MEASURE_COUNT_EVENTS_H
#define MEASURE_COUNT_EVENTS_H

#include "measure/harness.h"

/* Execute a case a few times, `reps` problems at a time, and count events. *c has no runs if the
 * driver has a device, because its counters say nothing there. 0, or -1 with *o: the driver is
 * lost.
 */
int count_events(struct harness *h, struct driver_process *d, const struct test_case *t,
                 unsigned reps, struct counters *c, struct outcome *o);

#endif
