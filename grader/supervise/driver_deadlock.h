/*
 * driver_deadlock.h - ranks that wait for each other for good, so that nobody has to wait for the
 * limit of a case. What ranks tell of themselves may be made up (driver_waits.h), and a false word
 * costs them only the rest of their time.
 */
#ifndef SUPERVISE_DRIVER_DEADLOCK_H
#define SUPERVISE_DRIVER_DEADLOCK_H

#include "supervise/driver_process.h"

/* Call this a few times a second. True once all ranks of the driver are in calls of MPI, or have
 * returned, and for some seconds none has begun or ended a call, no other thread of theirs has
 * computed, and each has had a core; *ns: for how long. Large messages have more time. */
bool driver_is_deadlocked(struct driver_process *d, uint64_t now, uint64_t *ns);

#endif
