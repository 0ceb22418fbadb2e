/*
 * merged: one thread computes MERGE elements of a column of C, in consecutive rows. Every element
 * of B that it loads from shared memory feeds MERGE multiply-adds, and MERGE independent sums hide
 * the latency of each other.
 *
 * The element of A is the same for all threads of a warp (a broadcast); four neighbours of a row
 * come in one load, since the inner loop is unrolled by four. So four multiply-adds cost 1 + 4 /
 * MERGE loads, against five at MERGE=1 - but never less than one: that takes reuse in both
 * directions (register.cu).
 *
 * The block is always 32 x 8 threads; it covers 32 columns and 8 * MERGE rows. Both tiles are 32
 * deep.
 *
 *   MERGE  1, 2, 4, 8, 16 or 32
 *
 * build  nvcc -O3 -std=c++17 -arch=sm_90 --cudart=shared -Xcompiler -fPIC -shared -DPARAGRADE_CUDA
 *        -I<abi> -DMERGE=8 -o merged.so merged.cu
 * run    paragrade check --tier cuda reference/gemm
 */
#include "gemm.h"

#include <stddef.h>

#ifndef MERGE
#define MERGE 8
#endif
static_assert(MERGE >= 1 && MERGE <= 32 && (MERGE & (MERGE - 1)) == 0,
              "MERGE is 1, 2, 4, 8, 16 or 32");

constexpr unsigned WIDE = 32, HIGH = 8; /* threads */
constexpr unsigned ROWS = HIGH * MERGE, COLUMNS = WIDE, DEPTH = WIDE;

static __global__ void __launch_bounds__(WIDE *HIGH)
    product(unsigned M, unsigned N, unsigned K, const uint32_t *__restrict__ A,
            const uint32_t *__restrict__ B, uint32_t *__restrict__ C)
{
    __shared__ __align__(16) uint32_t a[ROWS][DEPTH];
    __shared__ uint32_t b[DEPTH][COLUMNS];
    unsigned across = (N - 1) / COLUMNS + 1, x = threadIdx.x, y = threadIdx.y;
    unsigned top = blockIdx.x / across * ROWS, j = blockIdx.x % across * COLUMNS + x;
    uint32_t sum[MERGE] = {};
    for (unsigned at = 0; at < K; at += DEPTH) {
        /* First all loads, then all stores: loads under way do not wait for each other. */
        uint32_t from_a[ROWS / HIGH], from_b[DEPTH / HIGH];
#pragma unroll
        for (unsigned r = 0; r < ROWS / HIGH; r++) {
            unsigned i = top + r * HIGH + y;
            from_a[r] = i < M && at + x < K ? A[(size_t)i * K + at + x] : 0;
        }
#pragma unroll
        for (unsigned r = 0; r < DEPTH / HIGH; r++) {
            unsigned k = at + r * HIGH + y;
            from_b[r] = k < K && j < N ? B[(size_t)k * N + j] : 0;
        }
#pragma unroll
        for (unsigned r = 0; r < ROWS / HIGH; r++)
            a[r * HIGH + y][x] = from_a[r];
#pragma unroll
        for (unsigned r = 0; r < DEPTH / HIGH; r++)
            b[r * HIGH + y][x] = from_b[r];
        __syncthreads();
#pragma unroll 4
        for (unsigned k = 0; k < DEPTH; k++) {
            uint32_t of_b = b[k][x];
#pragma unroll
            for (unsigned m = 0; m < MERGE; m++)
                sum[m] += a[y * MERGE + m][k] * of_b;
        }
        __syncthreads();
    }
#pragma unroll
    for (unsigned m = 0; m < MERGE; m++) {
        unsigned i = top + y * MERGE + m;
        if (i < M && j < N)
            C[(size_t)i * N + j] = sum[m];
    }
}

void gemm_i32_cuda(int M, int N, int K, const int32_t *dA, const int32_t *dB, int32_t *dC,
                   cudaStream_t stream)
{
    unsigned m = (unsigned)M, n = (unsigned)N;
    unsigned blocks = ((m - 1) / ROWS + 1) * ((n - 1) / COLUMNS + 1);
    product<<<blocks, dim3(WIDE, HIGH), 0, stream>>>(m, n, (unsigned)K, (const uint32_t *)dA,
                                                     (const uint32_t *)dB, (uint32_t *)dC);
}
