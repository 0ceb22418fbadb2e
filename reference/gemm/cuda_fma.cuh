/*
 * cuda_fma.cuh - a warp's part of a tile by multiply-adds, for floats and doubles on any GPU.
 *
 * The 32 lanes are a grid of DOWN x ACROSS. Lanes 2 i and 2 i + 1 are below one another. A lane
 * computes groups of CHUNK neighbouring rows and columns of the part. A step is one k: a lane loads
 * its rows of A and its columns of B as vectors, which is why A is transposed.
 */
#ifndef CUDA_FMA_CUH
#define CUDA_FMA_CUH

#include "cuda_tile.cuh"

template <class T, int DOWN> struct fma_warp {
    static constexpr int ACROSS = 32 / DOWN;
    static constexpr int HIGH = T::PART_ROWS / DOWN, WIDE = T::PART_COLS / ACROSS;
    static constexpr int STEPS = T::DEPTH;
    static constexpr bool BY_COLUMNS = true;
    static constexpr int PITCH_A = T::ROWS, PITCH_B = T::COLS;

    int row, col;
    element sum[HIGH][WIDE];
    element a[2][HIGH], b[2][WIDE];

    __device__ __forceinline__ fma_warp(int lane, int row0, int col0)
        : row(row0 + (lane / (2 * ACROSS) * 2 + lane % 2) * CHUNK),
          col(col0 + lane / 2 % ACROSS * CHUNK), sum()
    {
    }

    /* Groups of CHUNK elements, `apart` elements from one to the next. */
    template <int COUNT>
    static __device__ __forceinline__ void load_groups(element (&x)[COUNT], const element *from,
                                                       int apart)
    {
#pragma unroll
        for (int g = 0; g < COUNT / CHUNK; g++) {
            const struct chunk c = *(const struct chunk *)(from + g * apart);
#pragma unroll
            for (int j = 0; j < CHUNK; j++)
                x[g * CHUNK + j] = c.x[j];
        }
    }

    __device__ __forceinline__ void load(int step, const element *from_a, const element *from_b)
    {
        load_groups(a[step % 2], from_a + step * PITCH_A + row, DOWN * CHUNK);
        load_groups(b[step % 2], from_b + step * PITCH_B + col, ACROSS * CHUNK);
    }

    __device__ __forceinline__ void multiply(int step)
    {
#pragma unroll
        for (int i = 0; i < HIGH; i++)
#pragma unroll
            for (int j = 0; j < WIDE; j++)
                sum[i][j] += a[step % 2][i] * b[step % 2][j];
    }

    __device__ __forceinline__ void store(int rows, int cols, int ldc, int row0, int col0,
                                          element *C) const
    {
#pragma unroll
        for (int i = 0; i < HIGH; i++)
#pragma unroll
            for (int g = 0; g < WIDE / CHUNK; g++) {
                element x[CHUNK];
#pragma unroll
                for (int j = 0; j < CHUNK; j++)
                    x[j] = sum[i][g * CHUNK + j];
                store_row(rows, cols, ldc, row0 + row + i / CHUNK * DOWN * CHUNK + i % CHUNK,
                          col0 + col + g * ACROSS * CHUNK, x, C);
            }
    }
};

#endif
