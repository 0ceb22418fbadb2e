/* Copies each row of A to a buffer on the stack that is large enough. Usually. */
#include "gemm.h"

#include <stddef.h>
#include <string.h>

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    int32_t row[512];
    for (int i = 0; i < M; i++) {
        memcpy(row, A + (size_t)i * K, sizeof *row * K);
        int32_t *c = C + (size_t)i * N;
        memset(c, 0, sizeof *c * N);
        for (int k = 0; k < K; k++)
            for (int j = 0; j < N; j++)
                c[j] += row[k] * B[(size_t)k * N + j];
    }
}
