/* gpu_order.h - was a call finished when the work in its stream was done?
 *
 * What a call has put into other streams, and what it postpones, must be joined into its stream.
 * Else calls overlap, and the time of many is not the time of one. So behind some calls, at places
 * that cannot be foreseen, a few words of the output are read in the stream, and compared with what
 * is there when the whole device is idle. This finds mistakes; code that looks for it can avoid it.
 * Calls in one stream are kept apart.
 */
#ifndef DRIVER_GPU_ORDER_H
#define DRIVER_GPU_ORDER_H

#include <cuda_runtime_api.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Allocate on the current device. */
cudaError_t gpu_order_init(void);
/* A run of `calls` begins. */
void gpu_order_begin(unsigned calls);
/* A call has been made whose output is `words` words at `out` on the device. Asynchronous; errors
 * become the last error of CUDA. */
void gpu_order_called(const uint32_t *out, uint64_t words, cudaStream_t stream);
/* Keep the next call from beginning before this one is done. A kernel with programmatic dependent
 * launch may begin while the kernel before it runs, but not while another operation of the stream
 * is before it: on an H100, kernels of 10 and 22 us that overlapped took 2.5 and 2.9 us a call
 * without this, and as long as others with it. It takes the device 1.3 us. */
cudaError_t gpu_order_separate(cudaStream_t stream);
/* After the run, with an idle device: the calls whose output changed after their place in the
 * stream, of those that were looked at. */
unsigned gpu_order_broken(cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
