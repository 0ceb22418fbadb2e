/*
 * cuda: exact int32 products on the int8 tensor cores, faster than any multiply-add of 32 bits.
 * (Floats and doubles: see cuda_real.cuh.)
 *
 * Modulo 2^32 an integer is x = d0 + d1 2^8 + d2 2^16 + d3 2^24 with digits in -128 .. 127:
 * they are the bytes of (x + 0x80808080) ^ 0x80808080. In the product of two such numbers only the
 * ten pairs of digits (i, j) with i + j <= 3 survive, so
 *
 *     A B = S0 + 2^8 S1 + 2^16 S2 + 2^24 S3   (mod 2^32),   Ss = sum over i + j = s of Ai Bj,
 *
 * ten products of signed bytes with 32-bit sums. The sums wrap modulo 2^32, which is what is
 * wanted, so K is not limited. Horner's rule keeps one accumulator: S3 first, shifted by a byte
 * before each of the others is added to it. Nothing but C is ever written back.
 *
 * 1. split: A and B are read once and written as digits, B transposed (the tensor cores want both
 *    operands with K contiguous), in blocks of 128 rows x 128 digits with the 128-byte swizzle of
 *    shared memory already applied. A block is then one contiguous copy of 16 KiB by the copy
 *    engine, without a tensor map, and edges are zeros that were written once.
 * 2. multiply: blocks of 128 x BN of C by two warpgroups with wgmma, fed by one warp through a ring
 *    of shared-memory stages. Blocks come in pairs that share the block of B (multicast).
 *
 * The ceiling is a tenth of the int8 tensor peak. GPUs other than those of compute capability 9.0
 * get a plain tiled product.
 *
 * build  nvcc -O3 -std=c++17 -gencode=arch=compute_90a,code=sm_90a --cudart=shared -Xcompiler -fPIC
 *            -shared -DPARAGRADE_CUDA -I<abi> -o cuda.so cuda.cu
 * run    paragrade check --tier cuda reference/gemm
 */
#if defined(GEMM_F32) || defined(GEMM_F64)
#include "cuda_real.cuh"
#else

#include <cuda_runtime.h>
#include <stdint.h>

#include "gemm.h"

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
#define HAVE_WGMMA 1
#define MULTIPLY_THREADS 384
#else
#define HAVE_WGMMA 0
#define MULTIPLY_THREADS 32 /* tells the host that there is no machine code for this GPU */
#endif

namespace
{

constexpr int BLOCK = 128;                 /* rows, and digits per row, of a block */
constexpr int BLOCK_BYTES = BLOCK * BLOCK; /* of one digit */
constexpr int DIGITS = 4;
constexpr int SPLIT_BYTES = DIGITS * BLOCK_BYTES;
constexpr int THREADS = 384; /* a warpgroup that feeds, two that multiply */
constexpr int RING_BYTES = 192 << 10;

struct digits { /* of both factors, zero-padded to whole blocks */
    uint8_t *a; /* [row block][K block][digit][swizzled block] */
    uint8_t *b; /* the same of the transposed B */
    int row_blocks, column_blocks, k_blocks;
};

/* --- splitting -------------------------------------------------------------------------------- */

#if HAVE_WGMMA

__device__ __forceinline__ uint32_t shared_address(const void *p)
{
    return (uint32_t)__cvta_generic_to_shared(p);
}

__device__ uint32_t to_digits(uint32_t x)
{
    return (x + 0x80808080u) ^ 0x80808080u;
}

/* Sixteen consecutive elements of a row: 16 bytes for each digit. */
__device__ void store_chunk(uint8_t *block, int row, int chunk, const uint32_t (&x)[16])
{
    uint32_t out[DIGITS][4];
#pragma unroll
    for (int i = 0; i < 4; i++) { /* transpose 4 x 4 bytes */
        uint32_t p = to_digits(x[4 * i]), q = to_digits(x[4 * i + 1]);
        uint32_t r = to_digits(x[4 * i + 2]), s = to_digits(x[4 * i + 3]);
        uint32_t pq = __byte_perm(p, q, 0x5140), rs = __byte_perm(r, s, 0x5140);
        uint32_t PQ = __byte_perm(p, q, 0x7362), RS = __byte_perm(r, s, 0x7362);
        out[0][i] = __byte_perm(pq, rs, 0x5410);
        out[1][i] = __byte_perm(pq, rs, 0x7632);
        out[2][i] = __byte_perm(PQ, RS, 0x5410);
        out[3][i] = __byte_perm(PQ, RS, 0x7632);
    }
    uint8_t *to = block + row * BLOCK + (chunk ^ (row & 7)) * 16;
#pragma unroll
    for (int d = 0; d < DIGITS; d++)
        *reinterpret_cast<uint4 *>(to + d * BLOCK_BYTES) =
            make_uint4(out[d][0], out[d][1], out[d][2], out[d][3]);
}

__device__ void split_a(const uint32_t *A, int M, int K, uint8_t *to, int row_block, int k_block)
{
    bool whole = K % 4 == 0;
    for (int i = threadIdx.x; i < BLOCK * 8; i += blockDim.x) {
        int row = i / 8, chunk = i % 8;
        int64_t m = (int64_t)row_block * BLOCK + row, k = (int64_t)k_block * BLOCK + chunk * 16;
        const uint32_t *from = A + m * K + k;
        uint32_t x[16];
        if (whole && m < M && k + 16 <= K) {
#pragma unroll
            for (int j = 0; j < 4; j++) {
                uint4 v = reinterpret_cast<const uint4 *>(from)[j];
                x[4 * j] = v.x;
                x[4 * j + 1] = v.y;
                x[4 * j + 2] = v.z;
                x[4 * j + 3] = v.w;
            }
        } else {
#pragma unroll
            for (int j = 0; j < 16; j++)
                x[j] = m < M && k + j < K ? from[j] : 0;
        }
        store_chunk(to, row, chunk, x);
    }
}

__device__ void split_b(const uint32_t *B, int N, int K, uint8_t *to, int column_block, int k_block)
{
    int column = threadIdx.x % BLOCK;
    int64_t n = (int64_t)column_block * BLOCK + column;
    /* Two neighbouring chunks by the same thread fill a sector of 32 bytes. */
    for (int pair = threadIdx.x / BLOCK; pair < 4; pair += blockDim.x / BLOCK) {
        for (int chunk = 2 * pair; chunk < 2 * pair + 2; chunk++) {
            int64_t k = (int64_t)k_block * BLOCK + chunk * 16;
            uint32_t x[16];
#pragma unroll
            for (int j = 0; j < 16; j++)
                x[j] = n < N && k + j < K ? B[(k + j) * N + n] : 0;
            store_chunk(to, column, chunk, x);
        }
    }
}

#endif

/* First the blocks of A, then those of B. Digits are put in order in shared memory and leave in one
 * piece of 64 KiB: written one by one, they cost twice the time of what memory can take. */
__global__ void __launch_bounds__(256)
    split(int M, int N, int K, const uint32_t *A, const uint32_t *B, digits d)
{
#if HAVE_WGMMA
    extern __shared__ __align__(128) uint8_t shared[];
    int64_t i = blockIdx.x, of_a = (int64_t)d.row_blocks * d.k_blocks;
    uint8_t *to = i < of_a ? d.a + i * SPLIT_BYTES : d.b + (i - of_a) * SPLIT_BYTES;
    int block = (int)((i < of_a ? i : i - of_a) / d.k_blocks), k_block = (int)(i % d.k_blocks);
    if (i < of_a)
        split_a(A, M, K, shared, block, k_block);
    else
        split_b(B, N, K, shared, block, k_block);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0)
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;\n"
                     "cp.async.bulk.commit_group;\n"
                     "cp.async.bulk.wait_group 0;" ::"l"(to),
                     "r"(shared_address(shared)), "r"(SPLIT_BYTES)
                     : "memory");
#endif
}

/* --- multiplying ------------------------------------------------------------------------------ */

/* A tile of C is 128 x BN; CLUSTER thread blocks with neighbouring rows share the block of B. */
template <int BN, int CLUSTER> struct tiling {
    static constexpr int B_BYTES = BN * BLOCK;
    static constexpr int STAGE_BYTES = BLOCK_BYTES + B_BYTES;
    static constexpr int STAGES = RING_BYTES / STAGE_BYTES;
    static constexpr int SHARED_BYTES = STAGES * STAGE_BYTES + 1024; /* and room to align */
    static_assert(CLUSTER == 1 || BN == CLUSTER * BLOCK, "each block of a pair fetches one of B's");
};

#if HAVE_WGMMA

struct position {
    int row_block, column_tile;
};

/* The order of tiles: bands of eight clusters of rows, so that the tiles in flight at one time read
 * few different blocks and the second-level cache serves most of them. */
__device__ position place(int64_t t, int rows, int columns)
{
    const int BAND = 8;
    int64_t band = t / ((int64_t)BAND * columns);
    int first = (int)(band * BAND), high = min(rows - first, BAND);
    int64_t rest = t - band * BAND * columns;
    return {first + (int)(rest % high), (int)(rest / high)};
}

__device__ __forceinline__ void barrier_init(uint64_t *b, int arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(b)), "r"(arrivals));
}

__device__ __forceinline__ void barrier_expect(uint64_t *b, int bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(b)),
                 "r"(bytes)
                 : "memory");
}

__device__ __forceinline__ void barrier_wait(uint64_t *b, int parity)
{
    asm volatile("{.reg .pred p;\n"
                 "again: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n"
                 "@!p bra again;}" ::"r"(shared_address(b)),
                 "r"(parity)
                 : "memory");
}

/* On the barrier at the same place in the shared memory of a thread block of the cluster. What it
 * signals is that wgmma has read a stage. No memory of the thread has to be visible before, and a
 * release to the whole cluster would wait for all of it each time (MEMBAR.ALL.GPU). */
__device__ __forceinline__ void barrier_arrive(uint64_t *b, uint32_t block)
{
    asm volatile("{.reg .b32 there;\n"
                 "mapa.shared::cluster.u32 there, %0, %1;\n"
                 "mbarrier.arrive.shared::cluster.b64 _, [there];}" ::"r"(shared_address(b)),
                 "r"(block)
                 : "memory");
}

__device__ __forceinline__ void fetch(void *to, const void *from, int bytes, uint64_t *done)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1], %2, [%3];" ::"r"(shared_address(to)),
                 "l"(from), "r"(bytes), "r"(shared_address(done))
                 : "memory");
}

__device__ __forceinline__ void fetch_for_all(void *to, const void *from, int bytes, uint64_t *done,
                                              uint16_t blocks)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
                 ".multicast::cluster [%0], [%1], %2, [%3], %4;" ::"r"(shared_address(to)),
                 "l"(from), "r"(bytes), "r"(shared_address(done)), "h"(blocks)
                 : "memory");
}

__device__ __forceinline__ void cluster_sync()
{
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}

__device__ __forceinline__ uint32_t cluster_rank()
{
    uint32_t r;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(r));
    return r;
}

/* How wgmma finds a block in shared memory: rows of 128 bytes, 128-byte swizzle, groups of eight
 * rows 1024 bytes apart (PTX ISA, "Matrix descriptor"). */
__device__ __forceinline__ uint64_t descriptor(const void *block)
{
    return (uint64_t)((shared_address(block) & 0x3ffff) >> 4) | (uint64_t)1 << 16 |
           (uint64_t)(1024 >> 4) << 32 | (uint64_t)1 << 62;
}

#define R4(d, i) "+r"(d[i]), "+r"(d[(i) + 1]), "+r"(d[(i) + 2]), "+r"(d[(i) + 3])
#define R16(d, i) R4(d, i), R4(d, (i) + 4), R4(d, (i) + 8), R4(d, (i) + 12)

/* d += a b of 64 x 32 and 32 x (64, 128, 256) digits. */
__device__ __forceinline__ void multiply(int32_t (&d)[32], uint64_t a, uint64_t b)
{
    asm volatile("{.reg .pred p; setp.eq.b32 p, 1, 1;\n"
                 "wgmma.mma_async.sync.aligned.m64n64k32.s32.s8.s8 {"
                 "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
                 "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
                 "}, %32, %33, p;}"
                 : R16(d, 0), R16(d, 16)
                 : "l"(a), "l"(b));
}

__device__ __forceinline__ void multiply(int32_t (&d)[64], uint64_t a, uint64_t b)
{
    asm volatile("{.reg .pred p; setp.eq.b32 p, 1, 1;\n"
                 "wgmma.mma_async.sync.aligned.m64n128k32.s32.s8.s8 {"
                 "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
                 "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
                 "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
                 "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
                 "}, %64, %65, p;}"
                 : R16(d, 0), R16(d, 16), R16(d, 32), R16(d, 48)
                 : "l"(a), "l"(b));
}

__device__ __forceinline__ void multiply(int32_t (&d)[128], uint64_t a, uint64_t b)
{
    asm volatile("{.reg .pred p; setp.eq.b32 p, 1, 1;\n"
                 "wgmma.mma_async.sync.aligned.m64n256k32.s32.s8.s8 {"
                 "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
                 "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
                 "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
                 "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "
                 "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "
                 "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "
                 "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, "
                 "%110, %111, "
                 "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, "
                 "%125, %126, %127"
                 "}, %128, %129, p;}"
                 : R16(d, 0), R16(d, 16), R16(d, 32), R16(d, 48), R16(d, 64), R16(d, 80),
                   R16(d, 96), R16(d, 112)
                 : "l"(a), "l"(b));
}

#undef R16
#undef R4

template <int BN, int CLUSTER>
__device__ void feed(const digits &d, int64_t tiles, int rows, int columns, uint8_t *ring,
                     uint64_t *full, uint64_t *empty)
{
    using T = tiling<BN, CLUSTER>;
    uint32_t rank = CLUSTER > 1 ? cluster_rank() : 0;
    int stage = 0, phase = 1; /* an untouched barrier counts as passed */
    for (int64_t t = blockIdx.x / CLUSTER; t < tiles; t += gridDim.x / CLUSTER) {
        position p = place(t, rows, columns);
        int64_t row = (int64_t)p.row_block * CLUSTER + rank;
        const uint8_t *a = d.a + row * d.k_blocks * DIGITS * BLOCK_BYTES;
        int64_t column = (int64_t)p.column_tile * BN; /* of B, in blocks of 128 and a part of one */
        const uint8_t *b =
            d.b + column / BLOCK * d.k_blocks * DIGITS * BLOCK_BYTES + column % BLOCK * BLOCK;
        const int64_t next_block = (int64_t)d.k_blocks * DIGITS * BLOCK_BYTES;
        for (int s = DIGITS - 1; s >= 0; s--) {
            for (int k = 0; k < d.k_blocks; k++) {
                for (int i = 0; i <= s; i++) {
                    uint8_t *to = ring + stage * T::STAGE_BYTES;
                    const uint8_t *from_a = a + ((int64_t)k * DIGITS + i) * BLOCK_BYTES;
                    const uint8_t *from_b = b + ((int64_t)k * DIGITS + s - i) * BLOCK_BYTES;
                    barrier_wait(&empty[stage], phase);
                    barrier_expect(&full[stage], T::STAGE_BYTES);
                    fetch(to, from_a, BLOCK_BYTES, &full[stage]);
                    to += BLOCK_BYTES;
                    if (CLUSTER > 1)
                        fetch_for_all(to + rank * BLOCK_BYTES, from_b + rank * next_block,
                                      BLOCK_BYTES, &full[stage], (1 << CLUSTER) - 1);
                    else if (BN <= BLOCK)
                        fetch(to, from_b, BN * BLOCK, &full[stage]);
                    else
                        for (int j = 0; j < BN / BLOCK; j++)
                            fetch(to + j * BLOCK_BYTES, from_b + j * next_block, BLOCK_BYTES,
                                  &full[stage]);
                    if (++stage == T::STAGES) {
                        stage = 0;
                        phase ^= 1;
                    }
                }
            }
        }
    }
}

/* The accumulators of a warpgroup, 64 rows of a tile: thread t holds, of rows t / 32 * 16 + t % 32
 * / 4 and eight below, columns t % 4 * 2 and one more of every eight (PTX ISA, wgmma "D"). */
template <int BN>
__device__ void store(const int32_t (&d)[BN / 2], int M, int N, int64_t row, int64_t column,
                      int32_t *C)
{
    int t = threadIdx.x % 128;
    row += t / 32 * 16 + t % 32 / 4;
    column += t % 4 * 2;
    bool paired = N % 2 == 0;
#pragma unroll
    for (int half = 0; half < 2; half++, row += 8) {
        if (row >= M)
            continue;
        int32_t *c = C + row * N;
#pragma unroll
        for (int j = 0; j < BN / 8; j++) {
            int64_t n = column + 8 * j;
            int32_t x = d[4 * j + 2 * half], y = d[4 * j + 2 * half + 1];
            if (paired && n < N) {
                *reinterpret_cast<int2 *>(c + n) = make_int2(x, y);
            } else {
                if (n < N)
                    c[n] = x;
                if (n + 1 < N)
                    c[n + 1] = y;
            }
        }
    }
}

template <int BN, int CLUSTER>
__device__ void consume(const digits &d, int M, int N, int32_t *C, int64_t tiles, int rows,
                        int columns, uint8_t *ring, uint64_t *full, uint64_t *empty)
{
    using T = tiling<BN, CLUSTER>;
    uint32_t rank = CLUSTER > 1 ? cluster_rank() : 0;
    int group = threadIdx.x / 128 - 1, thread = threadIdx.x % 128;
    int stage = 0, phase = 0;
    for (int64_t t = blockIdx.x / CLUSTER; t < tiles; t += gridDim.x / CLUSTER) {
        position p = place(t, rows, columns);
        int32_t sum[BN / 2];
#pragma unroll
        for (int i = 0; i < BN / 2; i++)
            sum[i] = 0;
        for (int s = DIGITS - 1; s >= 0; s--) {
#pragma unroll
            for (int i = 0; i < BN / 2; i++)
                sum[i] = (int32_t)((uint32_t)sum[i] << 8);
            int last = -1; /* stage that the multiplications in flight read */
            for (int k = 0; k < d.k_blocks * (s + 1); k++) {
                const uint8_t *block = ring + stage * T::STAGE_BYTES;
                uint64_t a = descriptor(block + group * (BLOCK_BYTES / 2));
                uint64_t b = descriptor(block + BLOCK_BYTES);
                barrier_wait(&full[stage], phase);
                asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
                for (int j = 0; j < BLOCK / 32; j++)
                    multiply(sum, a + 2 * j, b + 2 * j);
                asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
                asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
                if (last >= 0 && thread < CLUSTER)
                    barrier_arrive(&empty[last], thread);
                last = stage;
                if (++stage == T::STAGES) {
                    stage = 0;
                    phase ^= 1;
                }
            }
            asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
            if (thread < CLUSTER)
                barrier_arrive(&empty[last], thread);
        }
        int64_t row = ((int64_t)p.row_block * CLUSTER + rank) * BLOCK + group * 64;
        store<BN>(sum, M, N, row, (int64_t)p.column_tile * BN, C);
    }
}

#endif

template <int BN, int CLUSTER>
__global__ void __launch_bounds__(MULTIPLY_THREADS, 1)
    multiply_digits(int M, int N, digits d, int32_t *C)
{
#if HAVE_WGMMA
    using T = tiling<BN, CLUSTER>;
    extern __shared__ uint8_t shared[];
    __shared__ uint64_t full[T::STAGES], empty[T::STAGES];
    uint8_t *ring = shared + (1024 - shared_address(shared) % 1024) % 1024;
    if (threadIdx.x == 0) {
        for (int i = 0; i < T::STAGES; i++) {
            barrier_init(&full[i], 1);
            barrier_init(&empty[i], 2 * CLUSTER);
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    if (CLUSTER > 1)
        cluster_sync();
    int rows = d.row_blocks / CLUSTER, columns = (N + BN - 1) / BN;
    int64_t tiles = (int64_t)rows * columns;
    if (threadIdx.x < 128) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 56;");
        if (threadIdx.x == 0)
            feed<BN, CLUSTER>(d, tiles, rows, columns, ring, full, empty);
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 224;");
        consume<BN, CLUSTER>(d, M, N, C, tiles, rows, columns, ring, full, empty);
    }
    if (CLUSTER > 1) { /* nobody leaves while a neighbour may still write to its shared memory */
        __syncthreads();
        cluster_sync();
    }
#endif
}

template <int BN, int CLUSTER>
void launch(int M, int N, const digits &d, int32_t *C, int processors, cudaStream_t stream)
{
    using T = tiling<BN, CLUSTER>;
    int64_t tiles = (int64_t)d.row_blocks * ((N + BN - 1) / BN);
    auto kernel = multiply_digits<BN, CLUSTER>;
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, T::SHARED_BYTES);
    cudaLaunchConfig_t how = {};
    how.gridDim = dim3((unsigned)(tiles < processors ? tiles : processors / CLUSTER * CLUSTER));
    how.blockDim = dim3(THREADS);
    how.dynamicSmemBytes = T::SHARED_BYTES;
    how.stream = stream;
    cudaLaunchAttribute cluster = {};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim.x = CLUSTER;
    cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
    how.attrs = &cluster;
    how.numAttrs = 1;
    cudaLaunchKernelEx(&how, kernel, M, N, d, C);
}

/* --- other GPUs ------------------------------------------------------------------------------- */

__global__ void tiled(int M, int N, int K, const uint32_t *A, const uint32_t *B, uint32_t *C)
{
    constexpr int TILE = 32;
    __shared__ uint32_t a[TILE][TILE], b[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y, columns = (N + TILE - 1) / TILE;
    int64_t row = (int64_t)(blockIdx.x / columns) * TILE + y;
    int64_t column = (int64_t)(blockIdx.x % columns) * TILE + x;
    uint32_t sum = 0;
    for (int k = 0; k < K; k += TILE) {
        a[y][x] = row < M && k + x < K ? A[row * K + k + x] : 0;
        b[y][x] = column < N && k + y < K ? B[(int64_t)(k + y) * N + column] : 0;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < TILE; i++)
            sum += a[y][i] * b[i][x];
        __syncthreads();
    }
    if (row < M && column < N)
        C[row * N + column] = sum;
}

int blocks(int n)
{
    return (n + BLOCK - 1) / BLOCK;
}

int even(int n)
{
    return n + n % 2;
}

/* Room for the digits; grows and stays. On failure CUDA keeps the error for whoever asks. */
bool provide(digits &d)
{
    static uint8_t *room;
    static size_t room_bytes;
    size_t a = (size_t)d.row_blocks * d.k_blocks * DIGITS * BLOCK_BYTES;
    size_t b = (size_t)d.column_blocks * d.k_blocks * DIGITS * BLOCK_BYTES;
    if (a + b > room_bytes) {
        cudaFree(room);
        room = nullptr;
        room_bytes = 0;
        if (cudaMalloc(&room, a + b) != cudaSuccess)
            return false;
        room_bytes = a + b;
    }
    d.a = room;
    d.b = room + a;
    return true;
}

bool has_tensor_code()
{
    cudaFuncAttributes f;
    bool yes = cudaFuncGetAttributes(&f, multiply_digits<256, 2>) == cudaSuccess &&
               f.maxThreadsPerBlock >= THREADS;
    return yes;
}

} // namespace

extern "C" void gemm_i32_cuda(int M, int N, int K, const int32_t *dA, const int32_t *dB,
                              int32_t *dC, cudaStream_t stream)
{
    static const bool tensor_code = has_tensor_code();
    static const int processors = [] {
        int device, n = 1;
        cudaGetDevice(&device);
        cudaDeviceGetAttribute(&n, cudaDevAttrMultiProcessorCount, device);
        return n;
    }();
    const uint32_t *A = reinterpret_cast<const uint32_t *>(dA);
    const uint32_t *B = reinterpret_cast<const uint32_t *>(dB);
    if (!tensor_code) {
        unsigned rows = (M + 31) / 32, columns = (N + 31) / 32;
        tiled<<<rows * columns, dim3(32, 32), 0, stream>>>(M, N, K, A, B,
                                                           reinterpret_cast<uint32_t *>(dC));
        return;
    }
    digits d = {nullptr, nullptr, even(blocks(M)), even(blocks(N)), blocks(K)};
    if (!provide(d))
        return;
    unsigned splits = (unsigned)(d.row_blocks + d.column_blocks) * (unsigned)d.k_blocks;
    cudaFuncSetAttribute(split, cudaFuncAttributeMaxDynamicSharedMemorySize, SPLIT_BYTES);
    split<<<splits, 256, SPLIT_BYTES, stream>>>(M, N, K, A, B, d);
    /* The widest tile that still keeps most processors busy. */
    int64_t rows = blocks(M);
    if (rows * ((N + 255) / 256) > processors * 3 / 4)
        launch<256, 2>(M, N, d, dC, processors, stream);
    else if (rows * ((N + 127) / 128) > processors * 3 / 4)
        launch<128, 1>(M, N, d, dC, processors, stream);
    else
        launch<64, 1>(M, N, d, dC, processors, stream);
}

#endif
