/* gpu_ceiling.h - the measured ceilings of the current CUDA device, and a kernel that does nothing.
 */
#ifndef DRIVER_GPU_CEILING_H
#define DRIVER_GPU_CEILING_H

#include <cuda_runtime_api.h>

#include "abi/protocol.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The rate of multiply-adds of this type on registers, of all multiprocessors: 10^9 operations/s,
 * where a multiply-add is two. The best of several tries; 0 on failure. */
double gpu_multiply_add_gops(int multiprocessors, enum pg_element element);
/* The rate of products of tiles of doubles on the tensor cores, for a device of this compute
 * capability; as above. 0: it has none, or on failure. */
double gpu_tensor_gops(int multiprocessors, int capability);
/* The rate of a large copy within the memory of the device: 10^9 bytes/s, where bytes read and
 * bytes written both count. The best of several tries; 0 on failure. */
double gpu_copy_gbs(void);
/* Launch a kernel that does nothing. */
void gpu_run_nothing(cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
