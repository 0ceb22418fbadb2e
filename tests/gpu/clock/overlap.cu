/* Programmatic dependent launch: the kernel of a call lets the kernel of the next call begin at
 * once, so the calls of a run overlap. Each is right, since no call needs what another one writes.
 */
#include "kernel.h"

static __global__ void overlapping(int M, int N, int K, const int32_t *A, const int32_t *B,
                                   int32_t *C)
{
    cudaTriggerProgrammaticLaunchCompletion();
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || col >= N)
        return;
    uint32_t sum = 0;
    for (int k = 0; k < K; k++)
        sum += (uint32_t)A[(size_t)row * K + k] * (uint32_t)B[(size_t)k * N + col];
    C[(size_t)row * N + col] = (int32_t)sum;
}

KERNEL(stream)
{
    dim3 block(32, 8);
    cudaLaunchAttribute allowed = {};
    allowed.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    allowed.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = grid(M, N, block);
    config.blockDim = block;
    config.stream = stream;
    config.attrs = &allowed;
    config.numAttrs = 1;
    cudaLaunchKernelEx(&config, overlapping, M, N, K, A, B, C);
}
