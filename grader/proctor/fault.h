/*
 * fault.h - fault attribution: who is at fault when a driver is lost, the student's code or the
 * node. outcome.h decides by the facts; this asks the device as well.
 */
#ifndef PROCTOR_FAULT_H
#define PROCTOR_FAULT_H

#include <stdbool.h>
#include <stddef.h>

#include "measure/harness.h"
#include "supervise/driver_process.h"
#include "supervise/outcome.h"

struct lost_driver {
    struct driver_process *driver; /* it is ended if it still lives */
    const struct outcome *outcome; /* what happened to it */
    bool alone;                    /* no other student code is running */
};

/* Returns the verdict; VERDICT_INFRA_ERROR means that the student is not at fault. `message`, of
 * `cap` bytes, receives one line for the student, or for the instructor with VERDICT_INFRA_ERROR.
 * Reads u->before and sets u->now. */
enum verdict fault_attribute(struct harness *h, const struct lost_driver *lost,
                             struct unexplained_end *u, char *message, size_t cap);

#endif
