/* gpu_memory.h - the mirror images of the mapped matrices on the first GPU (driver.h). */
#ifndef DRIVER_GPU_MEMORY_H
#define DRIVER_GPU_MEMORY_H

#include "driver/driver.h"

/* The address on the device of what is at `host` in mapping i. */
unsigned char *gpu_address(const struct problem *p, unsigned i, const unsigned char *host);

#endif
