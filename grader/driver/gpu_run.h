/* gpu_run.h - calls of the student's function on the operands of the first GPU. */
#ifndef DRIVER_GPU_RUN_H
#define DRIVER_GPU_RUN_H

#include <cuda_runtime_api.h>

#include "driver/call.h"

/* Prepare for runs. */
cudaError_t gpu_run_init(void);

/* The operands of a call that was prepared. */
void gpu_run_operands(struct call *c, const struct problem *p);

/* Call the function `reps` times, and wait until all GPUs are idle. p: NULL in a process without
 * operands. Returns the seconds by the events of the first GPU, or a negative number. */
double gpu_run(struct call *c, void *kernel, const struct problem *p, unsigned reps);

#endif
