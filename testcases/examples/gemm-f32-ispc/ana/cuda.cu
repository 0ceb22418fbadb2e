/* One thread for each element of C. */
#include "gemm.h"

static __global__ void product(int M, int N, int K, const float *A, const float *B, float *C)
{
    const int i = (int)(blockIdx.y * blockDim.y + threadIdx.y);
    const int j = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    float sum = 0;
    if (i >= M || j >= N)
        return;
    for (int k = 0; k < K; k++)
        sum += A[(size_t)i * K + k] * B[(size_t)k * N + j];
    C[(size_t)i * N + j] = sum;
}

extern "C" void gemm_f32_cuda(int M, int N, int K, const float *dA, const float *dB, float *dC,
                              cudaStream_t stream)
{
    const dim3 threads(32, 8), blocks((unsigned)(N + 31) / 32, (unsigned)(M + 7) / 8);
    product<<<blocks, threads, 0, stream>>>(M, N, K, dA, dB, dC);
}
