/*
 * driver_limits.h - the limits of a driver process: output, memory, files, processes and time. The
 * proctor checks them whenever it waits for the driver.
 */
#ifndef SUPERVISE_DRIVER_LIMITS_H
#define SUPERVISE_DRIVER_LIMITS_H

#include "supervise/driver_process.h"
#include "supervise/outcome.h"

/* The most bytes that the files of a driver may take, without those that ranks share. */
uint64_t driver_files_most(const struct driver_spec *spec);

/* Read what the driver printed. It keeps the last bytes and counts all. Does not block. */
void driver_read_output(struct driver_process *d);
/* The same for a driver that has said DONE. A launcher passes on what its ranks printed a moment
 * later, so this waits for it, for a moment. */
void driver_await_output(struct driver_process *d);

/* Is what was read so far within the limit? False with *o filled. */
bool driver_output_within(const struct driver_process *d, struct outcome *o);

/* The private memory of a living driver now, in bytes; it may raise d->peak_memory. The limits are
 * checked only while the proctor waits, and it need not wait for a short run. */
uint64_t driver_measure_memory(struct driver_process *d);

/* Check all limits at time `now`, and the deadline of this wait (CLOCK_MONOTONIC ns), which may be
 * put off: while the driver's threads were ready to run and other programs had the cores, the
 * student is not to blame. False with *o filled when a limit is exceeded. */
bool driver_within_limits(struct driver_process *d, uint64_t now, uint64_t *deadline,
                          struct outcome *o);

#endif
