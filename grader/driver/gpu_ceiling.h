/* gpu_ceiling.h - what the current CUDA device can do at most, measured; and the least it can do.
 */
#ifndef DRIVER_GPU_CEILING_H
#define DRIVER_GPU_CEILING_H

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* 32-bit integer multiply-adds on registers, all multiprocessors: 10^9 operations/s (a multiply-add
 * is two), best of several; 0 on failure. */
double gpu_multiply_add_gops(int multiprocessors);
/* A large copy within the device's memory: 10^9 bytes/s, read and written, best of several; 0 on
 * failure. */
double gpu_copy_gbs(void);
/* Launch a kernel that does nothing. */
void gpu_run_nothing(cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
