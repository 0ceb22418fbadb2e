/* gpu_devices.h - the GPUs of this process. The first one has the operands and is current, except
 * while a kernel is called. */
#ifndef DRIVER_GPU_DEVICES_H
#define DRIVER_GPU_DEVICES_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>

#include "abi/protocol.h"

/* Start CUDA on all GPUs. 1, or -1 with a message on stderr. */
int gpu_begin(void);

/* For kernels, on the first GPU. It is an ordinary, blocking one, so a kernel that was launched
 * into the default stream is still in order with it. */
cudaStream_t gpu_stream(void);

/* The name of the first GPU, if CUDA tells it. */
void gpu_name(char *text, size_t cap);

/* Keep a failure for device_failed(), if it is the first one. Returns it. */
cudaError_t gpu_note(cudaError_t e);

/* What a kernel has left to the runtime: failures, and another GPU that is current. */
void gpu_after_call(void);

/* Wait until all GPUs are idle. */
void gpu_idle(void);

/* What device_wake() and device_failed() do, in one process. */
void gpu_wake(void);
bool gpu_failed(struct pg_error *e);

#endif
