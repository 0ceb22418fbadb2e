/*
 * cuda_real.cuh - products of floats and doubles on a GPU, in the arithmetic of the type: no TF32.
 *
 * Here the host chooses a tile for the shape and for the GPU; cuda_tile.cuh computes it. Slices are
 * loaded in chunks of 16 bytes where the rows of A and B begin at multiples of that. For
 * multiply-adds, they have to: A is transposed first, and B is copied if necessary, with zeros at
 * the end of each row. For tensor cores, they are loaded element by element instead.
 *
 * A few rows or columns beyond the last whole tile would cost a row or a column of nearly empty
 * tiles. They are a strip, which is computed in narrow tiles in the same launch.
 */
#ifndef CUDA_REAL_CUH
#define CUDA_REAL_CUH

#include "cuda_fma.cuh"
#include "cuda_tile.cuh"
#include "gemm.h"

enum { STRIP = 16 }; /* rows of a strip below, columns of a strip at the right: at most */

/* Multiply-adds, in tiles BODY. A strip is computed in tiles that have as many threads. */
template <class BODY> struct fma_plan {
    static constexpr int THREADS = BODY::THREADS, STAGES = BODY::STAGES + 1;
    typedef BODY body;
    typedef tile<THREADS, STRIP, BODY::DEPTH, 32, STRIP, STAGES, 1> right;
    typedef tile<STRIP, THREADS, BODY::DEPTH, STRIP, 32, STAGES, 1> below;
    typedef fma_warp<body, 4> body_warp;
    typedef fma_warp<right, 8> right_warp;
    typedef fma_warp<below, 4> below_warp;
};

/* Tiles of two sizes: small ones for products that have too few large ones to keep a GPU busy. */
#if defined(GEMM_F64)
#include "cuda_mma.cuh"
/* Tensor cores. DEEP: see mma_warp */
template <class BODY, int DEEP> struct mma_plan {
    static constexpr int LONG = BODY::THREADS / 2, STAGES = BODY::STAGES + 1;
    typedef BODY body;
    typedef tile<LONG, STRIP, BODY::DEPTH, 16, STRIP, STAGES, 1, BODY::PIECE> right;
    typedef tile<STRIP, LONG, BODY::DEPTH, STRIP, 16, STAGES, 1, BODY::PIECE> below;
    typedef mma_warp<body, DEEP> body_warp;
    typedef mma_warp<right, 8> right_warp;
    typedef mma_warp<below, 8> below_warp;
};
/* PIECE: CHUNK or 1, where the rows of A or B do not begin at multiples of 16 bytes. */
template <int PIECE> struct large_mma : mma_plan<tile<128, 64, 16, 64, 32, 3, 2, PIECE>, 4> {
};
template <int PIECE> struct small_mma : mma_plan<tile<64, 64, 16, 32, 32, 4, 2, PIECE>, 8> {
};
typedef fma_plan<tile<128, 64, 8, 32, 32, 4, 1>> large_fma;
typedef fma_plan<tile<64, 64, 8, 32, 32, 4, 2>> small_fma;
#else
typedef fma_plan<tile<128, 256, 16, 64, 64, 3, 1>> large_fma;
typedef fma_plan<tile<64, 64, 16, 32, 32, 4, 4>> small_fma;
#endif

/* A copy of a matrix, rows x cols, with the leading dimension ld and zeros at the ends of rows. It
 * is transposed (then cols x rows) or not. */
struct copying {
    const element *from;
    element *to; /* null: there is nothing to copy */
    int rows, cols, ld;
    bool transposed;
};

/* Squares of 32 x 32 elements of the copy, by 32 x 8 threads. */
static __device__ __forceinline__ void copy_squares(const struct copying &c, int block, int blocks)
{
    __shared__ element square[32][33];
    const int x = (int)threadIdx.x, y = (int)threadIdx.y, rows = c.transposed ? c.cols : c.rows;
    const int wide = (c.ld + 31) / 32, high = (rows + 31) / 32;
    for (int at = block; at < wide * high; at += blocks) {
        const int row0 = at / wide * 32, col0 = at % wide * 32; /* of the copy */
        /* Where the thread begins to read */
        const int row = (c.transposed ? col0 : row0) + y, col = (c.transposed ? row0 : col0) + x;
        const element *from = c.from + ((size_t)row * c.cols + col);
        element *to = c.to + ((size_t)(row0 + y) * c.ld + (col0 + x)), seen[4];
#pragma unroll
        for (int i = 0; i < 4; i++, from += (size_t)8 * c.cols)
            seen[i] = row + 8 * i < c.rows && col < c.cols ? *from : element(0);
        if (c.transposed) {
            __syncthreads();
#pragma unroll
            for (int i = 0; i < 4; i++)
                square[y + 8 * i][x] = seen[i];
            __syncthreads();
#pragma unroll
            for (int i = 0; i < 4; i++)
                seen[i] = square[x][y + 8 * i];
        }
#pragma unroll
        for (int i = 0; i < 4; i++, to += (size_t)8 * c.ld)
            if (row0 + y + 8 * i < rows && col0 + x < c.ld)
                *to = seen[i];
    }
}

/* A and, if it has to be copied, B in one launch: then blocks with odd numbers copy B. */
static __global__ void __launch_bounds__(256)
    copy_factors(const struct copying a, const struct copying b)
{
    const int sharing = b.to ? 2 : 1; /* the blocks between so many matrices */
    const int block = (int)blockIdx.x / sharing, blocks = (int)gridDim.x / sharing;
    if ((int)blockIdx.x % sharing == 0)
        copy_squares(a, block, blocks);
    else
        copy_squares(b, block, blocks);
}

static int pieces(int n, int of)
{
    return (n - 1) / of + 1;
}

/* Memory of the device for a copy of a matrix. It grows and stays. */
struct room {
    element *at;
    size_t bytes;

    /* On failure CUDA keeps the error for whoever asks. */
    bool provide(size_t needed)
    {
        if (needed > bytes) {
            cudaFree(at);
            at = nullptr;
            bytes = 0;
            if (cudaMalloc(&at, needed) != cudaSuccess)
                return false;
            bytes = needed;
        }
        return true;
    }
};

/* Room for a copy with rows of this width. Narrow matrices would grow to many times their size if
 * their rows began at lines of the cache. 0: success. */
static int provide_copy(struct copying *c, struct room *room, int high, int wide)
{
    const int to = wide < LINE ? CHUNK : LINE;
    c->ld = pieces(wide, to) * to;
    if (!room->provide((size_t)high * (size_t)c->ld * sizeof(element)))
        return -1;
    c->to = room->at;
    return 0;
}

/* Where the tiles of a plan lie. A strip is only worth it if it is narrow and the body is not
 * empty. */
template <class P> static void lay_out(struct product_task *p)
{
    typedef typename P::body T;
    const int low = p->M % T::ROWS, thin = p->N % T::COLS;
    p->body_rows = low <= STRIP && p->M > low ? p->M - low : p->M;
    p->body_cols = thin <= STRIP && p->N > thin ? p->N - thin : p->N;
    p->body_tiles = pieces(p->body_rows, T::ROWS) * pieces(p->body_cols, T::COLS);
    p->right_tiles = p->body_cols < p->N ? pieces(p->body_rows, P::right::ROWS) : 0;
}

template <class P> static int below_tiles(const struct product_task *p)
{
    return p->body_rows < p->M ? pieces(p->N, P::below::COLS) : 0;
}

template <class P> static void launch(struct product_task *p, cudaStream_t stream)
{
    constexpr int BODY = ring<typename P::body, typename P::body_warp>::BYTES;
    constexpr int RIGHT = ring<typename P::right, typename P::right_warp>::BYTES;
    constexpr int BELOW = ring<typename P::below, typename P::below_warp>::BYTES;
    constexpr int STRIPS = RIGHT > BELOW ? RIGHT : BELOW, BYTES = BODY > STRIPS ? BODY : STRIPS;
    lay_out<P>(p);
    const int tiles = p->body_tiles + p->right_tiles + below_tiles<P>(p);
    cudaFuncSetAttribute(product<P>, cudaFuncAttributeMaxDynamicSharedMemorySize, BYTES);
    product<P><<<(unsigned)tiles, P::body::THREADS, BYTES, stream>>>(*p);
}

/* The time of a product, in elements of C that the busiest multiprocessor computes. In strips, an
 * element takes about four times as long. */
template <class P> static double cost(const struct product_task *task, int processors)
{
    struct product_task p = *task;
    lay_out<P>(&p);
    const double strips = (double)p.right_tiles * P::right::ROWS * P::right::COLS +
                          (double)below_tiles<P>(&p) * P::below::ROWS * P::below::COLS;
    return (double)pieces(p.body_tiles, processors) * P::body::ROWS * P::body::COLS +
           4 * strips / processors;
}

/* What the GPU has. */
struct gpu {
    int processors, shared_bytes; /* of a block of threads, at most */

    gpu() : processors(1), shared_bytes(0)
    {
        int device;
        cudaGetDevice(&device);
        cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
        cudaDeviceGetAttribute(&shared_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    }
};

template <class LARGE, class SMALL>
static void launch_better(struct product_task *p, const struct gpu *g, cudaStream_t stream)
{
    const bool fits =
        ring<typename LARGE::body, typename LARGE::body_warp>::BYTES <= g->shared_bytes;
    /* Small tiles use each element that they load less often: they are slower by some percent. */
    if (fits && cost<LARGE>(p, g->processors) <= cost<SMALL>(p, g->processors) / 0.95)
        launch<LARGE>(p, stream);
    else
        launch<SMALL>(p, stream);
}

#if defined(GEMM_F64)
/* Was the code compiled for a GPU whose tensor cores take doubles in these shapes? */
static bool has_tensor_code()
{
    cudaFuncAttributes f;
    return cudaFuncGetAttributes(&f, product<small_mma<CHUNK>>) == cudaSuccess &&
           f.ptxVersion >= 90;
}

/* The tensor cores take A as it is, and wait for so few instructions that elements can be loaded
 * one by one where rows do not begin at multiples of 16 bytes. */
static void launch_mma(struct product_task *p, const struct gpu *g, cudaStream_t stream)
{
    if (p->lda % CHUNK == 0 && p->ldb % CHUNK == 0)
        launch_better<large_mma<CHUNK>, small_mma<CHUNK>>(p, g, stream);
    else
        launch_better<large_mma<1>, small_mma<1>>(p, g, stream);
}
#endif

extern "C" void GEMM_CUDA(int M, int N, int K, const element *dA, const element *dB, element *dC,
                          cudaStream_t stream)
{
    static struct room room_a, room_b;
    static const struct gpu gpu;
    struct product_task p = {M, N, K, dA, K, dB, N, dC, 0, 0, 0, 0};
#if defined(GEMM_F64)
    static const bool tensor_code = has_tensor_code();
    if (tensor_code) {
        launch_mma(&p, &gpu, stream);
        return;
    }
#endif
    struct copying a = {dA, nullptr, M, K, 0, true}, b = {dB, nullptr, K, N, 0, false};
    if (provide_copy(&a, &room_a, K, M) != 0 ||
        (N % CHUNK != 0 && provide_copy(&b, &room_b, K, N) != 0))
        return;
    copy_factors<<<2112, dim3(32, 8), 0, stream>>>(a, b);
    p.A = a.to;
    p.lda = a.ld;
    if (b.to) {
        p.B = b.to;
        p.ldb = b.ld;
    }
    launch_better<large_fma, small_fma>(&p, &gpu, stream);
}

#endif
