/*
 * device_profile.h - one execution under the device's profiler.
 */
#ifndef MEASURE_DEVICE_PROFILE_H
#define MEASURE_DEVICE_PROFILE_H

#include "measure/harness.h"

/* Execute a case once, with new values and with the copies. *p receives what the profiler saw, if
 * there is one. 0, or -1 with *o: the driver is lost. */
int device_profile_take(struct harness *h, struct driver_process *d, const struct test_case *c,
                        struct device_profile *p, struct outcome *o);

#endif
