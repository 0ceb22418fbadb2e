/* tier: naive */
/* One row at a time, in memory of alloca. */
#include "honest.h"
#include <alloca.h>

GEMM
{
    int32_t *row = alloca(N * sizeof *row);
    for (int i = 0; i < M; i++) {
        memset(row, 0, N * sizeof *row);
        for (int k = 0; k < K; k++)
            for (int j = 0; j < N; j++)
                row[j] += A[(size_t)i * K + k] * B[(size_t)k * N + j];
        memcpy(C + (size_t)i * N, row, N * sizeof *row);
    }
}
