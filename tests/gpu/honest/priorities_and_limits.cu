/* A stream of high priority, a larger stack on the device, a cache preference. */
#include "kernel.h"

static __device__ uint32_t dot(int K, int N, const int32_t *a, const int32_t *b)
{
    if (K <= 64) {
        uint32_t sum = 0;
        for (int k = 0; k < K; k++)
            sum += (uint32_t)a[k] * (uint32_t)b[(size_t)k * N];
        return sum;
    }
    int half = K / 2;
    return dot(half, N, a, b) + dot(K - half, N, a + half, b + (size_t)half * N);
}

static __global__ void recursive(int M, int N, int K, const int32_t *A, const int32_t *B,
                                 int32_t *C)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < M && col < N)
        C[(size_t)row * N + col] = (int32_t)dot(K, N, A + (size_t)row * K, B + col);
}

KERNEL(stream)
{
    static cudaStream_t own;
    static cudaEvent_t before, after;
    if (!own) {
        int low, high;
        cudaDeviceSetLimit(cudaLimitStackSize, 8192);
        cudaFuncSetCacheConfig(recursive, cudaFuncCachePreferL1);
        cudaDeviceGetStreamPriorityRange(&low, &high);
        cudaStreamCreateWithPriority(&own, cudaStreamNonBlocking, high);
        cudaEventCreateWithFlags(&before, cudaEventDisableTiming);
        cudaEventCreateWithFlags(&after, cudaEventDisableTiming);
    }
    dim3 block(32, 8);
    cudaEventRecord(before, stream);
    cudaStreamWaitEvent(own, before, 0);
    recursive<<<grid(M, N, block), block, 0, own>>>(M, N, K, A, B, C);
    cudaEventRecord(after, own);
    cudaStreamWaitEvent(stream, after, 0);
}
