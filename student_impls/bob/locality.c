/* Tiled, but inside a tile B is still walked down its columns. */
#include "gemm.h"

#include <stddef.h>
#include <string.h>

#define T 8
#define MIN(a, b) ((a) < (b) ? (a) : (b))

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    memset(C, 0, sizeof *C * M * N);
    for (int ii = 0; ii < M; ii += T)
        for (int jj = 0; jj < N; jj += T)
            for (int kk = 0; kk < K; kk += T)
                for (int i = ii; i < MIN(M, ii + T); i++)
                    for (int j = jj; j < MIN(N, jj + T); j++)
                        for (int k = kk; k < MIN(K, kk + T); k++)
                            C[(size_t)i * N + j] += A[(size_t)i * K + k] * B[(size_t)k * N + j];
}
