/*
 * unroll: shared.cu with the inner loop unrolled UNROLL times. Counter, comparison, branch and
 * address arithmetic are paid once for UNROLL multiply-adds; offsets become constants in the load
 * instructions; and UNROLL neighbouring elements of the row of A come in 128-bit loads, which the
 * rolled loop cannot use.
 *
 *   TILE    8, 16 or 32
 *   UNROLL  1 (the same as shared.cu), 4 or 8
 *
 * build  nvcc -O3 -std=c++17 -arch=sm_90 --cudart=shared -Xcompiler -fPIC -shared -DPARAGRADE_CUDA
 *        -I<abi> -DTILE=32 -DUNROLL=8 -o unroll.so unroll.cu
 * run    paragrade check --tier cuda reference/gemm
 */
#include "gemm.h"

#include <stddef.h>

#ifndef TILE
#define TILE 32
#endif
#ifndef UNROLL
#define UNROLL 8
#endif
static_assert(TILE == 8 || TILE == 16 || TILE == 32, "TILE is 8, 16 or 32");
static_assert(UNROLL == 1 || UNROLL == 4 || UNROLL == 8, "UNROLL is 1, 4 or 8");

constexpr int TIMES = UNROLL; /* macros are not replaced in pragmas */

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
#pragma unroll TIMES
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
