/* tier: naive */
/* Skips what is zero in A: faster where there are many. */
#include "honest.h"

GEMM
{
    memset(C, 0, (size_t)M * N * sizeof *C);
    for (int i = 0; i < M; i++)
        for (int k = 0; k < K; k++) {
            int32_t a = A[(size_t)i * K + k];
            if (a == 0)
                continue;
            for (int j = 0; j < N; j++)
                C[(size_t)i * N + j] += a * B[(size_t)k * N + j];
        }
}
