/*
 * device_clock.h - two checks of the times that were measured on a device. Pure.
 */
#ifndef MEASURE_DEVICE_CLOCK_H
#define MEASURE_DEVICE_CLOCK_H

#include "measure/harness_check.h"
#include "model/estimate.h"

/* The time by the device's events must agree with the proctor's clock. They differ when work is
 * done outside the given stream, or when the driver was manipulated. A difference is
 * VERDICT_CLOCK_MISMATCH in *f. Only accepted blocks are compared: a driver that waits for a core
 * is late by the proctor's clock alone. expected: seconds of the yardstick. */
void device_compare_clocks(const struct block *blocks, unsigned count, double expected,
                           struct finding *f);

/* The copy back must take as long as the yardstick's. If the device still computes after the driver
 * has said that it is done, the copy is delayed. This needs no trust in the driver. */
void device_compare_copies(const struct block *blocks, unsigned count, double expected,
                           struct finding *f);

#endif
