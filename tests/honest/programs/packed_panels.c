/* tier: simd */
/* Panels of A and B packed into static aligned buffers, with a small kernel in registers. */
#include "honest.h"

enum { ROWS = 4, COLS = 16, DEEP = 256 };
static int32_t pack_A[DEEP * ROWS] __attribute__((aligned(64)));
static int32_t pack_B[DEEP * COLS] __attribute__((aligned(64)));

GEMM
{
    memset(C, 0, (size_t)M * N * sizeof *C);
    for (int k0 = 0; k0 < K; k0 += DEEP)
        for (int j0 = 0; j0 < N; j0 += COLS) {
            int deep = least(DEEP, K - k0), wide = least(COLS, N - j0);
            memset(pack_B, 0, sizeof pack_B);
            for (int k = 0; k < deep; k++)
                memcpy(pack_B + k * COLS, B + (size_t)(k0 + k) * N + j0, wide * sizeof *B);
            for (int i0 = 0; i0 < M; i0 += ROWS) {
                int high = least(ROWS, M - i0);
                int32_t sum[ROWS][COLS] = {{0}};
                for (int i = 0; i < high; i++)
                    for (int k = 0; k < deep; k++)
                        pack_A[k * ROWS + i] = A[(size_t)(i0 + i) * K + k0 + k];
                for (int k = 0; k < deep; k++)
                    for (int i = 0; i < ROWS; i++)
                        for (int j = 0; j < COLS; j++)
                            sum[i][j] += pack_A[k * ROWS + i] * pack_B[k * COLS + j];
                for (int i = 0; i < high; i++)
                    for (int j = 0; j < wide; j++)
                        C[(size_t)(i0 + i) * N + j0 + j] += sum[i][j];
            }
        }
}
