/* verdicts: pass */
/* says: cudaSuccess: [1-9][0-9]* bytes of L2 */
/* Takes as much of L2 as can be had for a buffer of its own and never gives it back, so the
 * yardstick has less. Expected: no larger speed-up than `honest`. */
#include "side.h"

static __global__ void touch(uint4 *p, size_t n)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        p[i].x++;
}

KERNEL(stream)
{
    static uint4 *data;
    static size_t most;
    static cudaStream_t own;
    if (timed(M) && !data) {
        cudaDeviceProp p;
        cudaGetDeviceProperties(&p, 0);
        most = p.persistingL2CacheMaxSize;
        const cudaError_t e = cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, most);
        cudaMalloc(&data, most);
        cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
        cudaStreamAttrValue w = {};
        w.accessPolicyWindow.base_ptr = data;
        w.accessPolicyWindow.num_bytes =
            most < (size_t)p.accessPolicyMaxWindowSize ? most : p.accessPolicyMaxWindowSize;
        w.accessPolicyWindow.hitRatio = 1;
        w.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
        w.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
        cudaStreamSetAttribute(own, cudaStreamAttributeAccessPolicyWindow, &w);
        say("%s: %zu bytes of L2", cudaGetErrorName(e), most);
        tell();
        touch<<<264, 256, 0, own>>>(data, most / 16);
        cudaStreamSynchronize(own);
    }
    product_in(M, N, K, A, B, C, stream);
}
