/* driver_pin.h - choose the cores of a driver process. */
#ifndef SUPERVISE_DRIVER_PIN_H
#define SUPERVISE_DRIVER_PIN_H

#include "supervise/driver_process.h"

/* Move the driver to these cores. Each rank gets as many cores of its own as it has threads, if
 * there are enough; else all ranks share all cores. Several threads of one process are not moved:
 * the OpenMP runtime has bound them when the driver started. Nor is a driver with a device, whose
 * threads only wait for the device. */
void driver_pin(struct driver_process *d, const int *cpus, int count);

#endif
