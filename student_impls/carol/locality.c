/* Tiles of 8 x 8; sizes are always multiples of 8, aren't they? */
#include "gemm.h"

#include <stddef.h>
#include <string.h>

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    memset(C, 0, sizeof *C * M * N);
    for (int i = 0; i < M; i++)
        for (int kk = 0; kk + 8 <= K; kk += 8)
            for (int k = kk; k < kk + 8; k++)
                for (int j = 0; j < N; j++)
                    C[(size_t)i * N + j] += A[(size_t)i * K + k] * B[(size_t)k * N + j];
}
