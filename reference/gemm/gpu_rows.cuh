/*
 * gpu_rows.cuh - the product of some rows of A with B on one GPU, for programs that divide the rows
 * of C among several GPUs. A block of 256 threads computes a tile of 128 x 128, a thread 8 x 8 of
 * it, which lie 16 apart: so neighbours read neighbouring words of shared memory.
 */
#ifndef GPU_ROWS_CUH
#define GPU_ROWS_CUH

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

#include "element.h"

namespace gpu_rows
{

#if defined(GEMM_F64) || defined(GEMM_F32)
typedef element number;
#else
typedef uint32_t number; /* arithmetic mod 2^32 */
#endif

constexpr int SIDE = 128, DEPTH = 8, EACH = 8, ACROSS = SIDE / EACH, THREADS = ACROSS * ACROSS;

__global__ void __launch_bounds__(THREADS)
    product(int rows, int N, int K, const number *__restrict__ A, const number *__restrict__ B,
            number *__restrict__ C)
{
    __shared__ number a[DEPTH][SIDE + 1], b[DEPTH][SIDE];
    const int across = (N - 1) / SIDE + 1, t = (int)threadIdx.x, x = t % ACROSS, y = t / ACROSS;
    const int top = (int)blockIdx.x / across * SIDE, left = (int)blockIdx.x % across * SIDE;
    number sum[EACH][EACH] = {};
    for (int at = 0; at < K; at += DEPTH) {
#pragma unroll
        for (int e = t; e < SIDE * DEPTH; e += THREADS) {
            const int i = e / DEPTH, k = e % DEPTH;
            a[k][i] = top + i < rows && at + k < K ? A[(size_t)(top + i) * K + at + k] : 0;
        }
#pragma unroll
        for (int e = t; e < SIDE * DEPTH; e += THREADS) {
            const int k = e / SIDE, j = e % SIDE;
            b[k][j] = at + k < K && left + j < N ? B[(size_t)(at + k) * N + left + j] : 0;
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < DEPTH; k++) {
            number from_a[EACH], from_b[EACH];
#pragma unroll
            for (int i = 0; i < EACH; i++) {
                from_a[i] = a[k][y + i * ACROSS];
                from_b[i] = b[k][x + i * ACROSS];
            }
#pragma unroll
            for (int i = 0; i < EACH; i++)
#pragma unroll
                for (int j = 0; j < EACH; j++)
                    sum[i][j] += from_a[i] * from_b[j];
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < EACH; i++)
#pragma unroll
        for (int j = 0; j < EACH; j++) {
            const int row = top + y + i * ACROSS, col = left + x + j * ACROSS;
            if (row < rows && col < N)
                C[(size_t)row * N + col] = sum[i][j];
        }
}

/* C = A B in the stream, with `rows` rows of A. */
inline void multiply(int rows, int N, int K, const element *A, const element *B, element *C,
                     cudaStream_t stream)
{
    const unsigned blocks = (unsigned)((rows - 1) / SIDE + 1) * (unsigned)((N - 1) / SIDE + 1);
    if (rows > 0)
        product<<<blocks, THREADS, 0, stream>>>(rows, N, K, (const number *)A, (const number *)B,
                                                (number *)C);
}

/* Memory of the current GPU, at least so many bytes, that is kept for later calls. */
struct room {
    void *memory;
    size_t bytes;

    element *of(size_t needed)
    {
        if (needed > bytes) {
            cudaFree(memory);
            memory = nullptr;
            bytes = cudaMalloc(&memory, needed) == cudaSuccess ? needed : 0;
        }
        return (element *)memory;
    }
};

} // namespace gpu_rows

#endif
