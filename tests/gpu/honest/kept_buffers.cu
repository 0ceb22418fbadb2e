/* A transposed B in device memory that is kept and grows, and a static device array. */
#include "kernel.h"

static __device__ int calls;

static __global__ void transpose(int N, int K, const int32_t *B, int32_t *T)
{
    size_t e = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (e == 0)
        calls++;
    if (e < (size_t)N * K)
        T[e % N * K + e / N] = B[e];
}

static __global__ void dots(int M, int N, int K, const int32_t *A, const int32_t *T, int32_t *C)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || col >= N)
        return;
    uint32_t sum = 0;
    for (int k = 0; k < K; k++)
        sum += (uint32_t)A[(size_t)row * K + k] * (uint32_t)T[(size_t)col * K + k];
    C[(size_t)row * N + col] = (int32_t)sum;
}

KERNEL(stream)
{
    static int32_t *kept;
    static size_t have;
    size_t n = (size_t)K * N;
    if (n > have) {
        cudaFree(kept);
        cudaMalloc(&kept, n * sizeof *kept);
        have = n;
    }
    dim3 block(32, 8);
    transpose<<<(unsigned)((n + 255) / 256), 256, 0, stream>>>(N, K, B, kept);
    dots<<<grid(M, N, block), block, 0, stream>>>(M, N, K, A, kept, C);
}
