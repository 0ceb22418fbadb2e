/*
 * driver_counters.h - counters of the operating system (perf_event_open) on the threads of a halted
 * driver. They count in user mode, and only between driver_counters_start() and _stop(). A thread
 * that is created later, by a thread that is counted, is counted as well.
 */
#ifndef SUPERVISE_DRIVER_COUNTERS_H
#define SUPERVISE_DRIVER_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>

#include "model/counters.h"
#include "supervise/driver_process.h"

struct driver_counters {
    int *fd; /* each counts one event in one thread */
    enum counter *event;
    size_t count;
    bool missing[COUNTER_COUNT];
    char reason[sizeof((struct counters *)0)->reason];
};

/* Prepare all counters. Those that cannot be had are missing, and the reason says why. Free the
 * result with driver_counters_close(). */
void driver_counters_open(struct driver_counters *c, const struct driver_process *d);
void driver_counters_start(const struct driver_counters *c);
void driver_counters_stop(const struct driver_counters *c);
/* Of all threads together, over all times between start and stop: events, or seconds. NAN: missing.
 */
void driver_counters_read(struct driver_counters *c, double sum[COUNTER_COUNT]);
void driver_counters_close(struct driver_counters *c);

/* Why a counter cannot be had, from errno of perf_event_open(); paranoid: the value of
 * /proc/sys/kernel/perf_event_paranoid. Pure. */
void driver_counters_reason(int error, int paranoid, char *out, size_t cap);

#endif
