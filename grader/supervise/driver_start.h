/* driver_start.h - start a driver process and load a library into it; end it. */
#ifndef SUPERVISE_DRIVER_START_H
#define SUPERVISE_DRIVER_START_H

#include "supervise/driver_process.h"
#include "supervise/outcome.h"

/* Start a driver, load the library, and halt the driver. `unit_deadline` is in CLOCK_MONOTONIC ns;
 * 0: none. If a protection that spec->sandbox requires is missing, the library is not loaded and
 * the outcome is OUTCOME_NOT_STARTED. Fills spec->device if it is empty, and spec->code_ran. On
 * every outcome but OUTCOME_OK the driver's processes have ended. What they printed is kept, unless
 * none was started. End the driver with driver_end() if driver_alive(), whatever the outcome is. */
void driver_start(struct driver_process *d, struct driver_spec *spec, uint64_t unit_deadline,
                  struct outcome *o);

/* All ranks run: from now on the launcher gives way to them. */
void driver_hold_launcher_back(const struct driver_process *d);

/* Kill all processes of the driver, reap the child, free everything. Keeps d->protections. */
void driver_end(struct driver_process *d);

#endif
