/*
 * cuda_real.cuh - products of floats and doubles on a GPU, in the arithmetic of the type: no TF32.
 *
 * A block of threads computes a tile of C. It walks along K: a slice of A (transposed) and a slice
 * of B lie in shared memory, and each thread keeps its part of the tile in registers. There are two
 * pairs of slices: while one is used, the next one is loaded from global memory into registers and
 * then stored into the other. Elements beyond an edge are zeros.
 */
#ifndef CUDA_REAL_CUH
#define CUDA_REAL_CUH

#include <cuda_runtime.h>

#include "element.h"
#include "gemm.h"

/* Each of TILE / PART x TILE / PART threads computes PART x PART elements. */
enum { TILE = 128, DEPTH = 8, PART = 8, GROUP = 4 };
enum {
    SIDE = TILE / PART,
    THREADS = SIDE * SIDE,
    LOADS = TILE * DEPTH / THREADS,
    PADDED = TILE + 4
};

struct slices {
    alignas(32) element a[DEPTH][PADDED], b[DEPTH][TILE];
};

/* Elements that are loaded from shared memory together, with vector loads of 16 bytes. */
struct alignas(16) group {
    element x[GROUP];
};

/* What a thread has loaded for the next slices. */
struct loaded {
    element a[LOADS], b[LOADS];
};

static __device__ void load(int M, int N, int K, const element *A, const element *B, int k0,
                            struct loaded *l)
{
    const int t = (int)threadIdx.x, row0 = (int)blockIdx.y * TILE, col0 = (int)blockIdx.x * TILE;
#pragma unroll
    for (int i = 0; i < LOADS; i++) {
        const int at = t + i * THREADS;
        const int row = row0 + at / DEPTH, ka = k0 + at % DEPTH;
        const int col = col0 + at % TILE, kb = k0 + at / TILE;
        l->a[i] = row < M && ka < K ? A[(size_t)row * (size_t)K + (size_t)ka] : element(0);
        l->b[i] = col < N && kb < K ? B[(size_t)kb * (size_t)N + (size_t)col] : element(0);
    }
}

static __device__ void store(const struct loaded *l, struct slices *s)
{
#pragma unroll
    for (int i = 0; i < LOADS; i++) {
        const int at = (int)threadIdx.x + i * THREADS;
        s->a[at % DEPTH][at / DEPTH] = l->a[i];
        s->b[at / TILE][at % TILE] = l->b[i];
    }
}

static __global__ void __launch_bounds__(THREADS)
    product(int M, int N, int K, const element *__restrict__ A, const element *__restrict__ B,
            element *__restrict__ C)
{
    __shared__ struct slices pair[2];
    struct loaded next;
    element sum[PART][PART] = {};
    /* A thread's rows and columns come in groups of four, which are one load from shared memory,
     * and the groups are as far apart as possible, so that threads side by side use other banks. */
    constexpr int GROUPS = PART / GROUP, APART = TILE / GROUPS;
    const int x = (int)threadIdx.x % SIDE * GROUP, y = (int)threadIdx.x / SIDE * GROUP;
    load(M, N, K, A, B, 0, &next);
    store(&next, &pair[0]);
    __syncthreads();
    for (int k0 = 0, now = 0; k0 < K; k0 += DEPTH, now ^= 1) {
        const bool more = k0 + DEPTH < K;
        if (more)
            load(M, N, K, A, B, k0 + DEPTH, &next);
#pragma unroll
        for (int k = 0; k < DEPTH; k++) {
            struct group a[GROUPS], b[GROUPS];
#pragma unroll
            for (int g = 0; g < GROUPS; g++) {
                a[g] = *(const struct group *)&pair[now].a[k][g * APART + y];
                b[g] = *(const struct group *)&pair[now].b[k][g * APART + x];
            }
#pragma unroll
            for (int i = 0; i < PART; i++)
#pragma unroll
                for (int j = 0; j < PART; j++)
                    sum[i][j] += a[i / GROUP].x[i % GROUP] * b[j / GROUP].x[j % GROUP];
        }
        if (more)
            store(&next, &pair[now ^ 1]);
        __syncthreads();
    }
    const int row0 = (int)blockIdx.y * TILE + y, col0 = (int)blockIdx.x * TILE + x;
#pragma unroll
    for (int i = 0; i < PART; i++)
#pragma unroll
        for (int j = 0; j < PART; j++) {
            const int row = row0 + i / GROUP * APART + i % GROUP;
            const int col = col0 + j / GROUP * APART + j % GROUP;
            if (row < M && col < N)
                C[(size_t)row * (size_t)N + (size_t)col] = sum[i][j];
        }
}

#if defined(GEMM_F64)
#define GEMM_CUDA gemm_f64_cuda
#else
#define GEMM_CUDA gemm_f32_cuda
#endif

/* A grid has at most 65535 rows of blocks: enough for 4 million rows of C. */
extern "C" void GEMM_CUDA(int M, int N, int K, const element *dA, const element *dB, element *dC,
                          cudaStream_t stream)
{
    const dim3 blocks((unsigned)((N + TILE - 1) / TILE), (unsigned)((M + TILE - 1) / TILE));
    product<<<blocks, THREADS, 0, stream>>>(M, N, K, dA, dB, dC);
}

#endif
