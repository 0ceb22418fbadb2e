/*
 * shared: one thread per element of C, and square tiles of A and B in shared memory. The block
 * fetches a TILE x TILE piece of each, once and in whole rows, and every thread then reads TILE
 * elements of both from there: global memory is read TILE times less often than in global.cu.
 *
 * What bounds it then is shared memory itself: two loads for every multiply-add. The inner loop is
 * kept rolled here; unrolling it is a step of its own (unroll.cu).
 *
 * Tiles that stick out of a matrix are filled up with zeros, so the inner loop needs no bounds.
 *
 *   TILE  8, 16 or 32
 *
 * build  nvcc -O3 -std=c++17 -arch=sm_90 --cudart=shared -Xcompiler -fPIC -shared -DPARAGRADE_CUDA
 *        -I<abi> -DTILE=32 -o shared.so shared.cu
 * run    paragrade check --tier cuda reference/gemm
 */
#include "gemm.h"

#include <stddef.h>

#ifndef TILE
#define TILE 32
#endif
static_assert(TILE == 8 || TILE == 16 || TILE == 32, "TILE is 8, 16 or 32");

static __global__ void __launch_bounds__(TILE *TILE)
    product(unsigned M, unsigned N, unsigned K, const uint32_t *__restrict__ A,
            const uint32_t *__restrict__ B, uint32_t *__restrict__ C)
{
    __shared__ uint32_t a[TILE][TILE], b[TILE][TILE];
    unsigned across = (N - 1) / TILE + 1, x = threadIdx.x, y = threadIdx.y;
    unsigned i = blockIdx.x / across * TILE + y, j = blockIdx.x % across * TILE + x;
    uint32_t sum = 0;
    for (unsigned at = 0; at < K; at += TILE) {
        a[y][x] = i < M && at + x < K ? A[(size_t)i * K + at + x] : 0;
        b[y][x] = at + y < K && j < N ? B[(size_t)(at + y) * N + j] : 0;
        __syncthreads();
#pragma unroll 1
        for (unsigned k = 0; k < TILE; k++)
            sum += a[y][k] * b[k][x];
        __syncthreads();
    }
    if (i < M && j < N)
        C[(size_t)i * N + j] = sum;
}

void gemm_i32_cuda(int M, int N, int K, const int32_t *dA, const int32_t *dB, int32_t *dC,
                   cudaStream_t stream)
{
    unsigned m = (unsigned)M, n = (unsigned)N;
    unsigned blocks = ((m - 1) / TILE + 1) * ((n - 1) / TILE + 1);
    product<<<blocks, dim3(TILE, TILE), 0, stream>>>(m, n, (unsigned)K, (const uint32_t *)dA,
                                                     (const uint32_t *)dB, (uint32_t *)dC);
}
