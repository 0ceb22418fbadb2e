/*
 * cuda_real.cuh - products of floats and doubles on a GPU, in the arithmetic of the type: no TF32.
 *
 * Here the host chooses a tile for the shape and for the GPU; cuda_tile.cuh computes it. Slices are
 * loaded in chunks of 16 bytes, so the rows of A and B must begin at multiples of that. A matrix
 * whose rows do not is copied first, with zeros at the end of each row. For multiply-adds, A is
 * transposed first.
 */
#ifndef CUDA_REAL_CUH
#define CUDA_REAL_CUH

#include "cuda_fma.cuh"
#include "cuda_tile.cuh"
#include "gemm.h"

#if defined(GEMM_F64)
#define GEMM_CUDA gemm_f64_cuda
#else
#define GEMM_CUDA gemm_f32_cuda
#endif

/* Tiles of two sizes: small ones for products that have too few large ones to keep a GPU busy. */
#if defined(GEMM_F64)
#include "cuda_mma.cuh"
typedef tile<128, 128, 16, 32, 64, 4, 1> large_mma;
typedef tile<64, 64, 16, 32, 32, 4, 2> small_mma;
typedef tile<128, 64, 8, 32, 32, 4, 1> large_fma;
typedef tile<64, 64, 8, 32, 32, 4, 2> small_fma;
#else
typedef tile<128, 256, 16, 64, 64, 3, 1> large_fma;
typedef tile<64, 64, 16, 32, 32, 4, 4> small_fma;
#endif

/* A copy with the leading dimension ld and zeros at the ends of rows. */
static __global__ void pad_rows(int rows, int cols, int ld, const element *from, element *to)
{
    const size_t all = (size_t)rows * ld;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < all;
         i += (size_t)gridDim.x * blockDim.x) {
        const size_t row = i / (size_t)ld, col = i % (size_t)ld;
        to[i] = col < (size_t)cols ? from[row * cols + col] : element(0);
    }
}

/* The transposed matrix, cols x rows, padded likewise. A block of 32 x 8 threads does 32 x 32
 * elements at a time. */
static __global__ void transpose(int rows, int cols, int ld, const element *from, element *to)
{
    __shared__ element square[32][33];
    const int x = (int)threadIdx.x, wide = (cols + 31) / 32, high = (ld + 31) / 32;
    for (int at = (int)blockIdx.x; at < wide * high; at += (int)gridDim.x) {
        const int col0 = at % wide * 32, row0 = at / wide * 32;
        for (int y = (int)threadIdx.y; y < 32; y += 8)
            square[y][x] = row0 + y < rows && col0 + x < cols
                               ? from[(size_t)(row0 + y) * cols + (col0 + x)]
                               : element(0);
        __syncthreads();
        for (int y = (int)threadIdx.y; y < 32; y += 8)
            if (col0 + y < cols && row0 + x < ld)
                to[(size_t)(col0 + y) * ld + (row0 + x)] = square[x][y];
        __syncthreads();
    }
}

static int pieces(int n, int of)
{
    return (n - 1) / of + 1;
}

/* Memory of the device for a copy of a matrix. It grows and stays. On failure CUDA keeps the error
 * for whoever asks, and the result is a null pointer. */
struct copy {
    element *room;
    size_t room_bytes;
    int ld; /* of what was returned last */

    element *provide(int rows, int cols)
    {
        /* Narrow matrices would grow to many times their size. */
        const int to = cols < LINE ? CHUNK : LINE;
        ld = pieces(cols, to) * to;
        const size_t bytes = (size_t)rows * (size_t)ld * sizeof(element);
        if (bytes > room_bytes) {
            cudaFree(room);
            room = nullptr;
            room_bytes = 0;
            if (cudaMalloc(&room, bytes) != cudaSuccess)
                return nullptr;
            room_bytes = bytes;
        }
        return room;
    }

    /* The matrix itself, if its rows begin at multiples of CHUNK elements, or else a copy. */
    const element *padded(const element *from, int rows, int cols, cudaStream_t stream)
    {
        ld = cols;
        if (cols % CHUNK == 0)
            return from;
        element *to = provide(rows, cols);
        if (to)
            pad_rows<<<1024, 256, 0, stream>>>(rows, cols, ld, from, to);
        return to;
    }

    const element *transposed(const element *from, int rows, int cols, cudaStream_t stream)
    {
        element *to = provide(cols, rows);
        if (to)
            transpose<<<2048, dim3(32, 8), 0, stream>>>(rows, cols, ld, from, to);
        return to;
    }
};

/* A product that is ready to be computed. */
struct task {
    int M, N, K;
    const element *A; /* transposed or not, as the warps want it */
    int lda;          /* leading dimensions: multiples of CHUNK */
    const element *B;
    int ldb;
    element *C;
    cudaStream_t stream;
};

template <class T, class W> static void launch(const struct task *t)
{
    constexpr int BYTES = ring<T, W>::BYTES;
    const int tiles = pieces(t->M, T::ROWS) * pieces(t->N, T::COLS);
    cudaFuncSetAttribute(product<T, W>, cudaFuncAttributeMaxDynamicSharedMemorySize, BYTES);
    product<T, W><<<(unsigned)tiles, T::THREADS, BYTES, t->stream>>>(t->M, t->N, t->K, t->A, t->lda,
                                                                     t->B, t->ldb, t->C);
}

/* The time of a product in tiles T, in elements of C that the busiest multiprocessor computes. */
template <class T> static double cost(const struct task *t, int processors)
{
    const int tiles = pieces(t->M, T::ROWS) * pieces(t->N, T::COLS);
    return (double)pieces(tiles, processors) * T::ROWS * T::COLS;
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

template <class LARGE, class LARGE_WARP, class SMALL, class SMALL_WARP>
static void launch_better(const struct task *t, const struct gpu *g)
{
    const bool fits = ring<LARGE, LARGE_WARP>::BYTES <= g->shared_bytes;
    /* Small tiles use each element that they load less often: they are slower by some percent. */
    if (fits && cost<LARGE>(t, g->processors) <= cost<SMALL>(t, g->processors) / 0.95)
        launch<LARGE, LARGE_WARP>(t);
    else
        launch<SMALL, SMALL_WARP>(t);
}

#if defined(GEMM_F64)
/* Was the code compiled for a GPU whose tensor cores take doubles in these shapes? */
static bool has_tensor_code()
{
    cudaFuncAttributes f;
    return cudaFuncGetAttributes(&f, product<small_mma, mma_warp<small_mma, 8>>) == cudaSuccess &&
           f.ptxVersion >= 90;
}
#endif

extern "C" void GEMM_CUDA(int M, int N, int K, const element *dA, const element *dB, element *dC,
                          cudaStream_t stream)
{
    static struct copy copy_a, copy_b;
    static const struct gpu gpu;
    struct task t = {M, N, K, nullptr, 0, copy_b.padded(dB, K, N, stream), copy_b.ld, dC, stream};
#if defined(GEMM_F64)
    static const bool tensor_code = has_tensor_code();
    if (tensor_code) {
        t.A = copy_a.padded(dA, M, K, stream);
        t.lda = copy_a.ld;
        if (t.A && t.B)
            launch_better<large_mma, mma_warp<large_mma, 4>, small_mma, mma_warp<small_mma, 8>>(
                &t, &gpu);
        return;
    }
#endif
    t.A = copy_a.transposed(dA, M, K, stream);
    t.lda = copy_a.ld;
    if (t.A && t.B)
        launch_better<large_fma, fma_warp<large_fma, 4>, small_fma, fma_warp<small_fma, 4>>(&t,
                                                                                            &gpu);
}

#endif
