/*
 * register: every thread keeps NB x NB elements of C in registers, and NT x NT threads share a
 * block of NB*NT rows and columns. Per step of k a thread reads NB elements of A and NB of B from
 * shared memory, in 128-bit loads, for NB * NB multiply-adds: at NB=8, four loads for 64. What
 * bounds the kernel is then what should, the multiply-add units.
 *
 *   - A's tile is stored transposed, so that the NB rows of a thread are neighbours. Its rows are
 *     four words longer than needed: the threads that store it hit 32 different banks (KB=8).
 *   - At NB=8 the eight rows (columns) are two runs of four, half a tile apart: eight threads that
 *     read 128 bits each then read 32 consecutive words, all banks once.
 *   - Two pairs of tiles: while one is being multiplied, the next is fetched, global memory to
 *     registers, and stored after the multiplication. One barrier per step.
 *   - Global memory is read in vectors of four where the length of the rows is a multiple of four,
 *     and element by element where not; decided once per product.
 *
 *   NB  2, 4 or 8
 *   NT  8, 16 or 32, not 32 with NB=8: 1024 threads have 64 registers each, all taken by the sums
 *   KB  8 or 16, the depth of a tile
 *
 * build  nvcc -O3 -std=c++17 -arch=sm_90 --cudart=shared -Xcompiler -fPIC -shared -DPARAGRADE_CUDA
 *        -I<abi> -DNB=8 -DNT=16 -o register.so register.cu
 * run    paragrade check --tier cuda reference/gemm
 */
#include "gemm.h"

#include <stddef.h>

#ifndef NB
#define NB 8
#endif
#ifndef NT
#define NT 16
#endif
#ifndef KB
#define KB 8
#endif
static_assert(NB == 2 || NB == 4 || NB == 8, "NB is 2, 4 or 8");
static_assert(NT == 8 || NT == 16 || NT == 32, "NT is 8, 16 or 32");
static_assert(NB < 8 || NT < 32, "NB=8 needs more registers than a block of 32 x 32 has");
static_assert(KB == 8 || KB == 16, "KB is 8 or 16");

constexpr unsigned SIDE = NB * NT, THREADS = NT * NT;
constexpr unsigned RUN = NB < 4 ? NB : 4;              /* neighbouring rows of a thread */
constexpr unsigned VECTORS = SIDE * KB / 4;            /* in a tile */
constexpr unsigned EACH = (VECTORS - 1) / THREADS + 1; /* per thread, at most */
constexpr unsigned REGISTERS = (NB == 8 ? 128 : 64) + (NT == 8 ? 32 : 0); /* at most */

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

/* The NB elements of thread t in a row of a tile. */
static __device__ __forceinline__ void mine(const uint32_t *row, unsigned t, uint32_t *to)
{
#pragma unroll
    for (unsigned r = 0; r < NB; r += RUN) {
        const uint32_t *from = row + r * NT + t * RUN;
        if (RUN == 4) {
            uint4 v = *(const uint4 *)from;
            to[r] = v.x, to[r + 1] = v.y, to[r + 2] = v.z, to[r + 3] = v.w;
        } else {
            uint2 v = *(const uint2 *)from;
            to[r] = v.x, to[r + 1] = v.y;
        }
    }
}

template <bool WHOLE_A, bool WHOLE_B>
static __global__ void __launch_bounds__(THREADS, 65536 / REGISTERS / THREADS)
    product(unsigned M, unsigned N, unsigned K, const uint32_t *__restrict__ A,
            const uint32_t *__restrict__ B, uint32_t *__restrict__ C)
{
    __shared__ __align__(16) uint32_t a[2][KB][SIDE + 4];
    __shared__ __align__(16) uint32_t b[2][KB][SIDE];
    unsigned across = (N - 1) / SIDE + 1, t = threadIdx.x, x = t % NT, y = t / NT;
    unsigned top = blockIdx.x / across * SIDE, left = blockIdx.x % across * SIDE;
    uint4 next_a[EACH], next_b[EACH];
    uint32_t sum[NB][NB] = {};

    auto fetch = [&](unsigned at) {
#pragma unroll
        for (unsigned e = 0; e < EACH; e++) {
            unsigned v = t + e * THREADS;
            unsigned i = top + v / (KB / 4), k = at + v / (SIDE / 4);
            if (VECTORS % THREADS == 0 || v < VECTORS) {
                next_a[e] = four<WHOLE_A>(A + (size_t)i * K, at + v % (KB / 4) * 4, i < M ? K : 0);
                next_b[e] =
                    four<WHOLE_B>(B + (size_t)k * N, left + v % (SIDE / 4) * 4, k < K ? N : 0);
            }
        }
    };
    auto store = [&](unsigned buffer) {
#pragma unroll
        for (unsigned e = 0; e < EACH; e++) {
            unsigned v = t + e * THREADS, i = v / (KB / 4), k = v % (KB / 4) * 4;
            if (VECTORS % THREADS == 0 || v < VECTORS) {
                a[buffer][k][i] = next_a[e].x;
                a[buffer][k + 1][i] = next_a[e].y;
                a[buffer][k + 2][i] = next_a[e].z;
                a[buffer][k + 3][i] = next_a[e].w;
                *(uint4 *)&b[buffer][v / (SIDE / 4)][v % (SIDE / 4) * 4] = next_b[e];
            }
        }
    };

    fetch(0);
    store(0);
    __syncthreads();
    unsigned buffer = 0;
    for (unsigned at = 0; at < K; at += KB, buffer ^= 1) {
        bool more = at + KB < K;
        if (more)
            fetch(at + KB);
#pragma unroll
        for (unsigned k = 0; k < KB; k++) {
            uint32_t from_a[NB], from_b[NB];
            mine(a[buffer][k], y, from_a);
            mine(b[buffer][k], x, from_b);
#pragma unroll
            for (unsigned r = 0; r < NB; r++) {
#pragma unroll
                for (unsigned c = 0; c < NB; c++)
                    sum[r][c] += from_a[r] * from_b[c];
            }
        }
        if (more)
            store(buffer ^ 1);
        __syncthreads();
    }

#pragma unroll
    for (unsigned r = 0; r < NB; r++) {
        unsigned i = top + r / RUN * RUN * NT + y * RUN + r % RUN;
#pragma unroll
        for (unsigned c = 0; c < NB; c += RUN) {
            unsigned j = left + c * NT + x * RUN;
            const uint32_t *from = sum[r] + c;
            uint32_t *to = C + (size_t)i * N + j;
            if (WHOLE_B && RUN == 4) {
                if (i < M && j < N)
                    *(uint4 *)to = make_uint4(from[0], from[1], from[2], from[3]);
            } else {
#pragma unroll
                for (unsigned n = 0; n < RUN; n++)
                    if (i < M && j + n < N)
                        to[n] = from[n];
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
        product<true, true><<<blocks, THREADS, 0, stream>>>(m, n, k, a, b, c);
    else if (k % 4 == 0)
        product<true, false><<<blocks, THREADS, 0, stream>>>(m, n, k, a, b, c);
    else if (n % 4 == 0)
        product<false, true><<<blocks, THREADS, 0, stream>>>(m, n, k, a, b, c);
    else
        product<false, false><<<blocks, THREADS, 0, stream>>>(m, n, k, a, b, c);
}
