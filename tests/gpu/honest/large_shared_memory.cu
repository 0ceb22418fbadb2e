/* More than 48 KB of dynamic shared memory, asked for by cudaFuncSetAttribute. */
#include "kernel.h"

enum { SIDE = 80 };

static __global__ void tiles(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    extern __shared__ int32_t shared[];
    int32_t *a = shared, *b = shared + SIDE * SIDE;
    int i0 = blockIdx.y * SIDE, j0 = blockIdx.x * SIDE;
    uint32_t sum[SIDE * SIDE / 256] = {0};
    for (int k0 = 0; k0 < K; k0 += SIDE) {
        for (int e = threadIdx.x; e < SIDE * SIDE; e += 256) {
            int r = e / SIDE, c = e % SIDE;
            a[e] = i0 + r < M && k0 + c < K ? A[(size_t)(i0 + r) * K + k0 + c] : 0;
            b[e] = k0 + r < K && j0 + c < N ? B[(size_t)(k0 + r) * N + j0 + c] : 0;
        }
        __syncthreads();
        for (int s = 0, e = threadIdx.x; e < SIDE * SIDE; e += 256, s++)
            for (int k = 0; k < SIDE; k++)
                sum[s] += (uint32_t)a[e / SIDE * SIDE + k] * (uint32_t)b[k * SIDE + e % SIDE];
        __syncthreads();
    }
    for (int s = 0, e = threadIdx.x; e < SIDE * SIDE; e += 256, s++)
        if (i0 + e / SIDE < M && j0 + e % SIDE < N)
            C[(size_t)(i0 + e / SIDE) * N + j0 + e % SIDE] = (int32_t)sum[s];
}

KERNEL(stream)
{
    int bytes = 2 * SIDE * SIDE * sizeof *C;
    cudaFuncSetAttribute(tiles, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    cudaFuncSetAttribute(tiles, cudaFuncAttributePreferredSharedMemoryCarveout,
                         cudaSharedmemCarveoutMaxShared);
    dim3 blocks((N + SIDE - 1) / SIDE, (M + SIDE - 1) / SIDE);
    tiles<<<blocks, 256, bytes, stream>>>(M, N, K, A, B, C);
}
