/* tier: naive */
/* A table of rows, each allocated by itself. */
#include "honest.h"

GEMM
{
    int32_t **sum = calloc(M, sizeof *sum);
    for (int i = 0; i < M; i++) {
        sum[i] = calloc(N, sizeof **sum);
        for (int k = 0; k < K; k++)
            for (int j = 0; j < N; j++)
                sum[i][j] += A[(size_t)i * K + k] * B[(size_t)k * N + j];
    }
    for (int i = 0; i < M; i++) {
        memcpy(C + (size_t)i * N, sum[i], N * sizeof *C);
        free(sum[i]);
    }
    free(sum);
}
