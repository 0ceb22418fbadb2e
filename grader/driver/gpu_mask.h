/* gpu_mask.h - removing the mask from inputs in the memory of the current CUDA device. */
#ifndef DRIVER_GPU_MASK_H
#define DRIVER_GPU_MASK_H

#include <cuda_runtime_api.h>
#include <stdint.h>

#include "abi/mask.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Unmask the image of input `input`: `words` words at `word` on the device. Asynchronous; an error
 * of the launch becomes the last error of CUDA. */
void gpu_unmask(uint64_t *word, uint64_t words, unsigned input, struct pg_key key,
                cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
