/*
 * device_ceiling.h - the ceilings of a device, as its driver measured them.
 */
#ifndef MEASURE_DEVICE_CEILING_H
#define MEASURE_DEVICE_CEILING_H

#include "model/result.h"
#include "supervise/driver_run.h"

/* `type` is the kernel's. What the device does not have, or what could not be measured, is NAN. */
struct ceiling device_ceiling(const struct pg_device *d, enum element_type type);

#endif
