/* Tiles of A and B in shared memory, filled up with zeros. */
#include "gemm.h"

#ifndef TILE
#define TILE 16
#endif

static __global__ void product(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    __shared__ uint32_t a[TILE][TILE], b[TILE][TILE];
    const int x = (int)threadIdx.x, y = (int)threadIdx.y;
    const int i = (int)blockIdx.y * TILE + y, j = (int)blockIdx.x * TILE + x;
    uint32_t sum = 0;
    for (int k0 = 0; k0 < K; k0 += TILE) {
        a[y][x] = i < M && k0 + x < K ? (uint32_t)A[(size_t)i * K + k0 + x] : 0;
        b[y][x] = k0 + y < K && j < N ? (uint32_t)B[(size_t)(k0 + y) * N + j] : 0;
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += a[y][k] * b[k][x];
        __syncthreads();
    }
    if (i < M && j < N)
        C[(size_t)i * N + j] = (int32_t)sum;
}

void gemm_i32_cuda(int M, int N, int K, const int32_t *dA, const int32_t *dB, int32_t *dC,
                   cudaStream_t stream)
{
    const dim3 threads(TILE, TILE);
    const dim3 blocks((unsigned)(N + TILE - 1) / TILE, (unsigned)(M + TILE - 1) / TILE);
    product<<<blocks, threads, 0, stream>>>(M, N, K, dA, dB, dC);
}
