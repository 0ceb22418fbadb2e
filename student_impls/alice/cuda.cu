/* Tiles of A and B in shared memory, one thread per element of C. */
#include "gemm.h"

enum { TILE = 16 };

static __global__ void product(unsigned M, unsigned N, unsigned K, const unsigned *A,
                               const unsigned *B, unsigned *C)
{
    __shared__ unsigned a[TILE][TILE], b[TILE][TILE];
    unsigned x = threadIdx.x, y = threadIdx.y, sum = 0;
    size_t row = (size_t)blockIdx.y * TILE + y, column = (size_t)blockIdx.x * TILE + x;
    for (unsigned k = 0; k < K; k += TILE) {
        a[y][x] = row < M && k + x < K ? A[row * K + k + x] : 0;
        b[y][x] = column < N && k + y < K ? B[(size_t)(k + y) * N + column] : 0;
        __syncthreads();
        for (int i = 0; i < TILE; i++)
            sum += a[y][i] * b[i][x];
        __syncthreads();
    }
    if (row < M && column < N)
        C[row * N + column] = sum;
}

void gemm_i32_cuda(int M, int N, int K, const int32_t *dA, const int32_t *dB, int32_t *dC,
                   cudaStream_t stream)
{
    dim3 grid((N + TILE - 1) / TILE, (M + TILE - 1) / TILE), block(TILE, TILE);
    product<<<grid, block, 0, stream>>>(M, N, K, (const unsigned *)dA, (const unsigned *)dB,
                                        (unsigned *)dC);
}
