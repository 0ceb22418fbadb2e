/*
 * zerocopy: for matrices that stay in the host's memory and are mapped into the device's address
 * space (cudaHostAlloc, cudaHostGetDevicePointer): there is no copy before and after, and every
 * element that the kernel reads crosses the bus - each time it is read. A bus moves 25 to 60 GB/s,
 * the device's own memory a hundred times that.
 *
 * So the one thing that counts is how often an element is read. With tiles of SIDE x SIDE, A is
 * read ceil(N / SIDE) times and B ceil(M / SIDE) times; C is written once. Tiles are as large as
 * registers permit, 128 x 128 (8 x 8 elements in each of 256 threads), a quarter of what tiles of
 * 32 would move, and the multiplication is that of register.cu.
 *
 *   - Tiles are DEPTH=32 elements deep: each row of A's tile is one whole line of 128 bytes, each
 *     row of B's four. The bus is far away, and few large requests use it better than many small.
 *   - The next pair of tiles is on its way, into registers, while the last is multiplied. What is
 *     in flight, 32 KiB per block, hides the latency.
 *
 * Where an element is needed more often than a handful of times, copying it once is faster still;
 * that the product of large matrices loses by zero copy is the point of this step.
 *
 * build  nvcc -O3 -std=c++17 -arch=sm_90 --cudart=shared -Xcompiler -fPIC -shared -DPARAGRADE_CUDA
 *        -I<abi> -o zerocopy.so zerocopy.cu
 * run    paragrade check --tier cuda reference/gemm
 */
#include "gemm.h"

#include <stddef.h>

constexpr unsigned NB = 8, NT = 16, SIDE = NB * NT, THREADS = NT * NT, DEPTH = 32;
constexpr unsigned EACH = SIDE * DEPTH / 4 / THREADS; /* vectors of a tile per thread */

/* Elements [at, at + 4) of a row of the given length; zeros beyond its end. */
template <bool WHOLE>
static __device__ __forceinline__ uint4 four(const uint32_t *row, unsigned at, unsigned length)
{
    uint4 v = make_uint4(0, 0, 0, 0);
    if (WHOLE) {
        if (at < length)
            v = *(const uint4 *)(row + at);
    } else {
        v.x = at < length ? row[at] : 0;
        v.y = at + 1 < length ? row[at + 1] : 0;
        v.z = at + 2 < length ? row[at + 2] : 0;
        v.w = at + 3 < length ? row[at + 3] : 0;
    }
    return v;
}

/* The eight elements of thread t in a row of a tile: two runs of four. */
static __device__ __forceinline__ void mine(const uint32_t *row, unsigned t, uint32_t *to)
{
    uint4 v = *(const uint4 *)(row + t * 4), w = *(const uint4 *)(row + SIDE / 2 + t * 4);
    to[0] = v.x, to[1] = v.y, to[2] = v.z, to[3] = v.w;
    to[4] = w.x, to[5] = w.y, to[6] = w.z, to[7] = w.w;
}

/* WHOLE: the lengths of all rows are multiples of four. */
template <bool WHOLE>
static __global__ void __launch_bounds__(THREADS)
    product(unsigned M, unsigned N, unsigned K, const uint32_t *__restrict__ A,
            const uint32_t *__restrict__ B, uint32_t *__restrict__ C)
{
    __shared__ __align__(16) uint32_t a[DEPTH][SIDE + 4]; /* transposed */
    __shared__ __align__(16) uint32_t b[DEPTH][SIDE];
    unsigned across = (N - 1) / SIDE + 1, t = threadIdx.x, x = t % NT, y = t / NT;
    unsigned top = blockIdx.x / across * SIDE, left = blockIdx.x % across * SIDE;
    uint4 next_a[EACH], next_b[EACH];
    uint32_t sum[NB][NB] = {};

    auto fetch = [&](unsigned at) {
#pragma unroll
        for (unsigned e = 0; e < EACH; e++) {
            unsigned v = t + e * THREADS;
            unsigned i = top + v / (DEPTH / 4), k = at + v / (SIDE / 4);
            next_a[e] = four<WHOLE>(A + (size_t)i * K, at + v % (DEPTH / 4) * 4, i < M ? K : 0);
            next_b[e] = four<WHOLE>(B + (size_t)k * N, left + v % (SIDE / 4) * 4, k < K ? N : 0);
        }
    };

    fetch(0);
    for (unsigned at = 0; at < K; at += DEPTH) {
#pragma unroll
        for (unsigned e = 0; e < EACH; e++) {
            unsigned v = t + e * THREADS, i = v / (DEPTH / 4), k = v % (DEPTH / 4) * 4;
            a[k][i] = next_a[e].x;
            a[k + 1][i] = next_a[e].y;
            a[k + 2][i] = next_a[e].z;
            a[k + 3][i] = next_a[e].w;
            *(uint4 *)&b[v / (SIDE / 4)][v % (SIDE / 4) * 4] = next_b[e];
        }
        __syncthreads();
        if (at + DEPTH < K)
            fetch(at + DEPTH);
#pragma unroll 8
        for (unsigned k = 0; k < DEPTH; k++) {
            uint32_t from_a[NB], from_b[NB];
            mine(a[k], y, from_a);
            mine(b[k], x, from_b);
#pragma unroll
            for (unsigned r = 0; r < NB; r++) {
#pragma unroll
                for (unsigned c = 0; c < NB; c++)
                    sum[r][c] += from_a[r] * from_b[c];
            }
        }
        __syncthreads();
    }

#pragma unroll
    for (unsigned r = 0; r < NB; r++) {
        unsigned i = top + r / 4 * (SIDE / 2) + y * 4 + r % 4;
#pragma unroll
        for (unsigned c = 0; c < NB; c += 4) {
            unsigned j = left + c / 4 * (SIDE / 2) + x * 4;
            uint32_t *to = C + (size_t)i * N + j;
            if (WHOLE) {
                if (i < M && j < N)
                    *(uint4 *)to =
                        make_uint4(sum[r][c], sum[r][c + 1], sum[r][c + 2], sum[r][c + 3]);
            } else {
#pragma unroll
                for (unsigned n = 0; n < 4; n++)
                    if (i < M && j + n < N)
                        to[n] = sum[r][c + n];
            }
        }
    }
}

void gemm_i32_cuda(int M, int N, int K, const int32_t *dA, const int32_t *dB, int32_t *dC,
                   cudaStream_t stream)
{
    unsigned m = (unsigned)M, n = (unsigned)N, k = (unsigned)K;
    unsigned blocks = ((m - 1) / SIDE + 1) * ((n - 1) / SIDE + 1);
    const uint32_t *a = (const uint32_t *)dA, *b = (const uint32_t *)dB;
    uint32_t *c = (uint32_t *)dC;
    if (k % 4 == 0 && n % 4 == 0)
        product<true><<<blocks, THREADS, 0, stream>>>(m, n, k, a, b, c);
    else
        product<false><<<blocks, THREADS, 0, stream>>>(m, n, k, a, b, c);
}
