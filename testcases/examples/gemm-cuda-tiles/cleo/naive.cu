/* Right, and slow: neighbouring threads compute neighbouring rows. */
#include "gemm.h"

static __global__ void product(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    const int j = (int)(blockIdx.y * blockDim.y + threadIdx.y);
    uint32_t sum = 0;
    if (i >= M || j >= N)
        return;
    for (int k = 0; k < K; k++)
        sum += (uint32_t)A[(size_t)i * K + k] * (uint32_t)B[(size_t)k * N + j];
    C[(size_t)i * N + j] = (int32_t)sum;
}

void gemm_i32_cuda(int M, int N, int K, const int32_t *dA, const int32_t *dB, int32_t *dC,
                   cudaStream_t stream)
{
    const dim3 threads(32, 8), blocks((unsigned)(M + 31) / 32, (unsigned)(N + 7) / 8);
    product<<<blocks, threads, 0, stream>>>(M, N, K, dA, dB, dC);
}
