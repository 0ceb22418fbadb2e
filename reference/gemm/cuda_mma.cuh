/*
 * cuda_mma.cuh - a warp's part of a tile on the tensor cores of compute capability 9.0, for
 * doubles. They multiply and add in full double precision, at twice the rate of ordinary
 * multiply-adds.
 *
 * One instruction multiplies 16 x DEEP elements of A by DEEP x 8 of B, which is a step. Lane 4 g +
 * t holds A at rows g and g + 8 and B at column g, both at each fourth k from t on, and C at rows g
 * and g + 8 and columns 2 t and 2 t + 1 (PTX ISA, "Matrix Fragments for mma.m16n8k4" and "k8", type
 * f64).
 */
#ifndef CUDA_MMA_CUH
#define CUDA_MMA_CUH

#include "cuda_tile.cuh"

/* c += a b. Other GPUs have no such instruction; the host does not choose this class for them. */
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define DOUBLE_MMA(...) asm("mma.sync.aligned." __VA_ARGS__)
#else
#define DOUBLE_MMA(...) (void)c, (void)a, (void)b
#endif

static __device__ __forceinline__ void multiply_tile(double (&c)[4], const double (&a)[2],
                                                     const double (&b)[1])
{
    DOUBLE_MMA("m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%6}, "
               "{%0, %1, %2, %3};"
               : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
               : "d"(a[0]), "d"(a[1]), "d"(b[0]));
}

static __device__ __forceinline__ void multiply_tile(double (&c)[4], const double (&a)[4],
                                                     const double (&b)[2])
{
    DOUBLE_MMA("m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
               "{%8, %9}, {%0, %1, %2, %3};"
               : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
               : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
}

template <class T, int DEEP> struct mma_warp {
    static constexpr int HIGH = T::PART_ROWS / 16, WIDE = T::PART_COLS / 8;
    static constexpr int STEPS = T::DEPTH / DEEP;
    static constexpr bool BY_COLUMNS = false;
    /* With four more elements in a row, sixteen lanes load from different banks. */
    static constexpr int PITCH_A = T::DEPTH + 4, PITCH_B = T::COLS + 4;

    int row, col, g, t;
    double sum[HIGH][WIDE][4];
    double a[2][HIGH][DEEP / 2], b[2][WIDE][DEEP / 4];

    __device__ __forceinline__ mma_warp(int lane, int row0, int col0)
        : row(row0), col(col0), g(lane / 4), t(lane % 4), sum()
    {
    }

    __device__ __forceinline__ void load(int step, const double *from_a, const double *from_b)
    {
#pragma unroll
        for (int j = 0; j < WIDE; j++)
#pragma unroll
            for (int k = 0; k < DEEP / 4; k++)
                b[step % 2][j][k] = from_b[(step * DEEP + 4 * k + t) * PITCH_B + col + 8 * j + g];
#pragma unroll
        for (int i = 0; i < HIGH; i++)
#pragma unroll
            for (int k = 0; k < DEEP / 4; k++)
#pragma unroll
                for (int half = 0; half < 2; half++)
                    a[step % 2][i][2 * k + half] =
                        from_a[(row + 16 * i + 8 * half + g) * PITCH_A + step * DEEP + 4 * k + t];
    }

    __device__ __forceinline__ void multiply(int step)
    {
#pragma unroll
        for (int i = 0; i < HIGH; i++)
#pragma unroll
            for (int j = 0; j < WIDE; j++)
                multiply_tile(sum[i][j], a[step % 2][i], b[step % 2][j]);
    }

    __device__ __forceinline__ void store(int rows, int cols, int ldc, int row0, int col0,
                                          double *C) const
    {
#pragma unroll
        for (int i = 0; i < HIGH; i++)
#pragma unroll
            for (int half = 0; half < 2; half++)
#pragma unroll
                for (int j = 0; j < WIDE; j++) {
                    const double x[2] = {sum[i][j][2 * half], sum[i][j][2 * half + 1]};
                    store_row(rows, cols, ldc, row0 + row + 16 * i + 8 * half + g,
                              col0 + col + 8 * j + 2 * t, x, C);
                }
    }
};

#endif
