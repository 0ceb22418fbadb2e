/*
 * cuda_tile.cuh - how a block of threads computes a tile of C = A B: the ring of slices that lies
 * in shared memory, and the loop over K.
 *
 * A slice is DEPTH columns of A and DEPTH rows of B, as wide as the tile. The copy engine loads
 * slices ahead of their use (cp.async), in chunks of 16 bytes if possible. Each warp computes a
 * part of the tile, in small steps along K. The operands of a step are loaded into registers while
 * the step before it is computed. Elements beyond an edge are zeros.
 *
 * What a warp does in a step is its own class: cuda_fma.cuh (multiply-adds) and cuda_mma.cuh
 * (tensor cores, in full double precision). A class W has
 *
 *   W::STEPS                 steps in a slice; an even number
 *   W::BY_COLUMNS            does it want A transposed? Then a slice of A has a row for each k
 *   W::PITCH_A, PITCH_B      elements between two rows of a slice in shared memory
 *   W(lane, row, column)     for the part of the tile that begins at this row and column
 *   load(step, a, b)         the operands of a step, from the slice in a and b
 *   multiply(step)           adds the product of what was loaded for this step
 *   store(rows, cols, ldc, row, column, C)   the tile that begins at this row and column, as far as
 *                            it is inside rows and cols
 */
#ifndef CUDA_TILE_CUH
#define CUDA_TILE_CUH

#include <cuda_runtime.h>
#include <stdint.h>

#include "element.h"

/* Elements in a chunk of 16 bytes, and in a line of the cache. */
enum { CHUNK = 16 / (int)sizeof(element), LINE = 128 / (int)sizeof(element) };
struct alignas(16) chunk {
    element x[CHUNK];
};

/* ROWS x COLS is the tile, PART_ROWS x PART_COLS the part of a warp. */
template <int ROWS_, int COLS_, int DEPTH_, int PART_ROWS_, int PART_COLS_, int STAGES_,
          int PER_SM_, int PIECE_ = CHUNK>
struct tile {
    static constexpr int ROWS = ROWS_, COLS = COLS_, DEPTH = DEPTH_;
    static constexpr int PART_ROWS = PART_ROWS_, PART_COLS = PART_COLS_;
    static constexpr int STAGES = STAGES_; /* slices in the ring */
    static constexpr int PER_SM = PER_SM_; /* blocks of threads per multiprocessor */
    static constexpr int PIECE = PIECE_;   /* elements that one instruction loads: CHUNK or 1 */
    static constexpr int ACROSS = COLS / PART_COLS;
    static constexpr int THREADS = ROWS / PART_ROWS * ACROSS * 32;
};

/* GPUs before compute capability 8.0 have no cp.async. There, a thread copies at once. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#define COPIES_LATER 0
#else
#define COPIES_LATER 1
#endif

/* Copies PIECE elements to shared memory, later; zeros, if they are not `inside`. */
template <int PIECE>
static __device__ __forceinline__ void copy_later(element *to, const element *from, bool inside)
{
#if COPIES_LATER
    constexpr int BYTES = PIECE * (int)sizeof(element);
    const uint32_t shared = (uint32_t)__cvta_generic_to_shared(to);
    if (PIECE == CHUNK) /* past the first-level cache: only possible with 16 bytes */
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared), "l"(from),
                     "r"(inside ? 16 : 0));
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(shared), "l"(from),
                     "n"(BYTES), "r"(inside ? BYTES : 0));
#else
#pragma unroll
    for (int i = 0; i < PIECE; i++)
        to[i] = inside ? from[i] : element(0);
#endif
}

static __device__ __forceinline__ void end_of_copies()
{
#if COPIES_LATER
    asm volatile("cp.async.commit_group;");
#endif
}

/* Waits until at most this many of the latest groups of copies are under way. */
template <int GROUPS> static __device__ __forceinline__ void wait_for_copies()
{
#if COPIES_LATER
    asm volatile("cp.async.wait_group %0;" ::"n"(GROUPS));
#endif
}

/* Loads slices of R x C elements of a matrix, one after the other along K. K runs down the columns
 * or along the rows. A thread keeps the address of its first piece; its other pieces are APART rows
 * from one to the next. */
template <int R, int C, int PITCH, int PIECE, int THREADS, bool DOWN> struct loader {
    static constexpr int PER_ROW = C / PIECE, APART = THREADS / PER_ROW;
    static_assert(THREADS % PER_ROW == 0, "the pieces of a thread are in the same columns");

    int row, col, across; /* how many rows or columns there are, across K, from the first one on */
    const element *from;
    int64_t apart, next; /* from one piece, from one slice to the next */

    __device__ __forceinline__ loader(const element *matrix, int ld, int start, int end)
        : row((int)threadIdx.x / PER_ROW), col((int)threadIdx.x % PER_ROW * PIECE),
          across(end - start), apart((int64_t)APART * ld), next(DOWN ? (int64_t)R * ld : C)
    {
        from = matrix + (int64_t)row * ld + col + (DOWN ? start : (int64_t)start * ld);
    }

    /* The next slice; `left` of K are left. */
    __device__ __forceinline__ void load(element *to, int left)
    {
        const int rows = DOWN ? left : across, cols = DOWN ? across : left;
        to += row * PITCH + col;
#pragma unroll
        for (int i = 0; i < (R + APART - 1) / APART; i++)
            if (R % APART == 0 || row + i * APART < R)
                copy_later<PIECE>(to + i * APART * PITCH, from + i * apart,
                                  row + i * APART < rows && col < cols);
        from += next;
    }
};

/* A product, as the kernel sees it. A is K x M if the warps want it transposed, or else M x K. lda
 * and ldb are multiples of the tiles' PIECE. Elements of a row behind its last column are zeros. */
struct product_task {
    int M, N, K;
    const element *A;
    int lda;
    const element *B;
    int ldb;
    element *C;
    /* Which part of C do tiles cover, and how many of them? The rest is a strip at the right, whose
     * tiles come next, and a strip below. */
    int body_rows, body_cols, body_tiles, right_tiles;
};

/* The first row and column of a tile. Neighbours in time share rows and columns, so that they find
 * them in the cache: tiles are counted down the columns of bands that are eight tiles high. */
template <class T>
static __device__ __forceinline__ void find_tile(int at, int rows, int cols, int *row, int *col)
{
    const int high = (rows - 1) / T::ROWS + 1, wide = (cols - 1) / T::COLS + 1;
    const int band = at / (8 * wide), rest = at % (8 * wide);
    const int height = min(high - 8 * band, 8);
    *row = (8 * band + rest % height) * T::ROWS;
    *col = rest / height * T::COLS;
}

/* Elements of a slice of A and of B, and bytes of the whole ring. */
template <class T, class W> struct ring {
    static constexpr int SLICE_A = (W::BY_COLUMNS ? T::DEPTH : T::ROWS) * W::PITCH_A;
    static constexpr int SLICE_B = T::DEPTH * W::PITCH_B;
    static constexpr int BYTES = T::STAGES * (SLICE_A + SLICE_B) * (int)sizeof(element);
};

/* The tile that begins at this row and column, as far as it is inside `rows` and `cols`. */
template <class T, class W>
static __device__ __forceinline__ void compute_tile(const struct product_task &p, int row, int col,
                                                    int rows, int cols)
{
    static_assert(W::STEPS % 2 == 0, "the next slice begins with the first set of registers");
    constexpr int SLICE_A = ring<T, W>::SLICE_A, SLICE_B = ring<T, W>::SLICE_B;
    extern __shared__ __align__(16) unsigned char shared[];
    element *const ring_a = (element *)shared, *const ring_b = ring_a + T::STAGES * SLICE_A;
    const int part = (int)threadIdx.x / 32, slices = (p.K - 1) / T::DEPTH + 1;
    W warp((int)threadIdx.x % 32, part / T::ACROSS * T::PART_ROWS, part % T::ACROSS * T::PART_COLS);

    loader<W::BY_COLUMNS ? T::DEPTH : T::ROWS, W::BY_COLUMNS ? T::ROWS : T::DEPTH, W::PITCH_A,
           T::PIECE, T::THREADS, W::BY_COLUMNS>
        of_a(p.A, p.lda, row, p.M);
    loader<T::DEPTH, T::COLS, W::PITCH_B, T::PIECE, T::THREADS, true> of_b(p.B, p.ldb, col, p.N);
    int left = p.K; /* of K, for the loaders */
    auto load_slice = [&](int stage) {
        if (left > 0) {
            of_a.load(ring_a + stage * SLICE_A, left);
            of_b.load(ring_b + stage * SLICE_B, left);
        }
        left -= T::DEPTH;
        end_of_copies();
    };
    auto slice_is_there = [] {
        wait_for_copies<T::STAGES - 2>();
        __syncthreads();
    };
#pragma unroll
    for (int s = 0; s < T::STAGES - 1; s++)
        load_slice(s);
    slice_is_there();
    warp.load(0, ring_a, ring_b);
    int now = 0, free_stage = T::STAGES - 1;
    for (int slice = 0; slice < slices; slice++) {
        const element *a = ring_a + now * SLICE_A, *b = ring_b + now * SLICE_B;
#pragma unroll
        for (int step = 0; step < W::STEPS; step++) {
            if (step + 1 < W::STEPS) {
                warp.load(step + 1, a, b);
            } else {
                slice_is_there();
                now = now + 1 < T::STAGES ? now + 1 : 0;
                warp.load(0, ring_a + now * SLICE_A, ring_b + now * SLICE_B);
            }
            if (step == 0) {
                load_slice(free_stage);
                free_stage = free_stage + 1 < T::STAGES ? free_stage + 1 : 0;
            }
            warp.multiply(step);
        }
    }
    warp.store(rows, cols, p.N, row, col, p.C);
}

/* A plan P has tiles of three shapes: P::body, P::right and P::below, and the class of their warps:
 * P::body_warp, P::right_warp and P::below_warp. */
template <class P>
static __global__ void __launch_bounds__(P::body::THREADS, P::body::PER_SM)
    product(const struct product_task p)
{
    static_assert(P::right::THREADS == P::body::THREADS && P::below::THREADS == P::body::THREADS,
                  "a block of threads can do each of them");
    int at = (int)blockIdx.x, row, col;
    if (at < p.body_tiles) {
        find_tile<typename P::body>(at, p.body_rows, p.body_cols, &row, &col);
        compute_tile<typename P::body, typename P::body_warp>(p, row, col, p.body_rows,
                                                              p.body_cols);
    } else if ((at -= p.body_tiles) < p.right_tiles) {
        compute_tile<typename P::right, typename P::right_warp>(p, at * P::right::ROWS, p.body_cols,
                                                                p.body_rows, p.N);
    } else {
        compute_tile<typename P::below, typename P::below_warp>(
            p, p.body_rows, (at - p.right_tiles) * P::below::COLS, p.M, p.N);
    }
}

/* Stores neighbouring elements of a row of C, as far as they are inside. A vector store needs rows
 * that begin at multiples of its size. */
template <int COUNT>
static __device__ __forceinline__ void store_row(int rows, int cols, int ldc, int row, int col,
                                                 const element (&x)[COUNT], element *C)
{
    if (row >= rows)
        return;
    element *to = C + (size_t)row * ldc + col;
    if (COUNT % CHUNK == 0 && ldc % CHUNK == 0) {
#pragma unroll
        for (int i = 0; i < COUNT / CHUNK; i++) {
            struct chunk c;
#pragma unroll
            for (int j = 0; j < CHUNK; j++)
                c.x[j] = x[i * CHUNK + j];
            if (col + i * CHUNK < cols)
                *(struct chunk *)(to + i * CHUNK) = c;
        }
        return;
    }
#pragma unroll
    for (int i = 0; i < COUNT; i++)
        if (col + i < cols)
            to[i] = x[i];
}

#endif
