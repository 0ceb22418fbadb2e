/* gpu_mask.h - taking the mask off inputs in the memory of the current CUDA device. */
#ifndef DRIVER_GPU_MASK_H
#define DRIVER_GPU_MASK_H

#include <cuda_runtime_api.h>
#include <stdint.h>

#include "abi/mask.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The mapping of input `input`: `words` words at `word`, on the device. Asynchronous; errors of the
 * launch are CUDA's last error. */
void gpu_unmask(uint64_t *word, uint64_t words, unsigned input, struct pg_key key,
                cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
